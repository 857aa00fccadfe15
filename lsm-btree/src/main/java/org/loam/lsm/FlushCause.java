package org.loam.lsm;

/** Why a memory component is flushed. */
public enum FlushCause {
  /** It had its size, or write memory was short. */
  MEMORY,
  /** Its oldest write held the log back. */
  LOG,
  /** Somebody asked for it. */
  USER,
  /** The engine is closing. */
  CLOSE,
  /** What was replayed from the log goes to disk before the engine is open. */
  RECOVERY
}
