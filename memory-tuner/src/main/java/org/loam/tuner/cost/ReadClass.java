package org.loam.tuner.cost;

/** What a page is read for. Reads and saved reads of each class are counted apart. */
public enum ReadClass {
  QUERY,
  MERGE,
  FILTER,
  META
}
