package org.loam.common.config;

/** What a tuner does with its decisions. */
public enum TunerMode {
  /** It decides and records, but the split stays. */
  OBSERVE,
  /** It moves the split. */
  ADAPTIVE,
  /** It measures and decides nothing; the split stays. */
  FROZEN
}
