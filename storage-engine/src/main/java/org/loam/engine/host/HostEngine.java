package org.loam.engine.host;

/**
 * What an engine does for a program with transactions of its own, beside what it does for all.
 * Thread-safe.
 */
public interface HostEngine {
  /** The used part of write memory, 1.0 if there is none left. Cheap; for every write. */
  double writeMemoryFill();

  /** Bytes that writes may still take of write memory without a flush, and without a loan. */
  long freeWriteMemoryBytes();

  /** Bytes of write memory that are in use, with those that the buffer cache has lent. */
  long usedWriteMemoryBytes();

  /**
   * Bytes of the largest key and value together that a write takes. For them write memory, when all
   * of it was flushed, and what the buffer cache lends have room.
   */
  int largestRecordBytes();

  /**
   * Has the tree that the flush policy chooses flushed, unless a flush is on its way; below a
   * {@link HostLog} that is said to the host. For a host that keeps new writers out while memory is
   * short, since else only writes look whether it is.
   */
  void relieveWriteMemory();

  /**
   * Takes no more writes, for a program that cannot do its part of the work any more. Reads go on;
   * opening the database again recovers.
   */
  void fence(Throwable cause);
}
