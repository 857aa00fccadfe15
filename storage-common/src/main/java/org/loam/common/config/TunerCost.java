package org.loam.common.config;

/** What the memory tuner counts. */
public enum TunerCost {
  /** Time at the disk, as it was measured, and of processors as far as they are busy. */
  TIME,
  /** Pages that are read and written, each as much as another: MemoryWalls §5. */
  PAGES
}
