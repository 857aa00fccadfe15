package org.loam.common.mem;

/** Says when all readers have left that may look at memory which was unlinked. Thread-safe. */
public interface Moments {
  /**
   * A moment after an unlinking store. When it {@linkplain #hasPassed has passed}, what was
   * unlinked may be used for something else.
   *
   * @throws org.loam.common.error.ClosedException if closed
   */
  long moment();

  /** Whether every reader that was inside at a moment has left. */
  boolean hasPassed(long moment);
}
