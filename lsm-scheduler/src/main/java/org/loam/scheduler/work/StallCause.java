package org.loam.scheduler.work;

/** Why a writer waits. */
public enum StallCause {
  /**
   * Write memory is used up until a flush frees some, or too much of it has to be merged in memory
   * first.
   */
  WRITE_MEMORY_FULL,
  /** The log has its maximum length until a flush lets it be truncated. */
  LOG_FULL,
  /** L0 is too deep until a merge takes components away. */
  L0_STOP,
  /** The tree has too many sorted runs in all. */
  COMPONENT_CONSTRAINT,
  /** The write control slows writes down before anything is violated. */
  WRITE_CONTROL,
  /** An index is made of the records that a dataset has already. */
  INDEX_BUILD,
  /**
   * Another write to the keys of a dataset has not ended, perhaps since it waits itself; or the
   * dataset or an index of it is being dropped.
   */
  KEY_LOCK,
  /** A host lets no writer of the tree in until it has been flushed; once for all of them. */
  HOST_FLUSH
}
