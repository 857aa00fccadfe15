package org.loam.tuner;

/** What a tuner does with its decisions. */
public enum TunerMode {
  /** It decides and records, but the split stays. */
  OBSERVE,
  /** It moves the split. */
  ADAPTIVE,
  /** It decides nothing; the split stays. */
  FROZEN
}
