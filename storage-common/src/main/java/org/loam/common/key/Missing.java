package org.loam.common.key;

/** Stands for a value that is absent, as null stands for one that is present and null. */
public enum Missing {
  /** The only one. */
  MISSING
}
