package org.loam.lsm;

/** Why a memory component is flushed. */
public enum FlushCause {
  /** It had reached its size, or write memory was short. */
  MEMORY,
  /** Write memory gets smaller, so that the buffer cache gets larger. */
  TUNER,
  /** Its oldest write held the log back. */
  LOG,
  /** The user of the library asked for it, or a host did by itself. */
  USER,
  /** The engine is closing. */
  CLOSE,
  /** Writes that were replayed from the log go to disk before the engine is open. */
  RECOVERY;

  /** Whether more write memory would have put it off. */
  boolean isForMemory() {
    return this == MEMORY || this == TUNER;
  }
}
