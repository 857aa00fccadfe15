package org.loam.lsm;

/** Why a memory component is flushed. */
public enum FlushCause {
  /** It was full, or write memory was short. */
  MEMORY,
  /** Its oldest write held the log back. */
  LOG,
  /** The user of the library asked for it. */
  USER,
  /** The engine is closing. */
  CLOSE,
  /** Writes that were replayed from the log go to disk before the engine is open. */
  RECOVERY
}
