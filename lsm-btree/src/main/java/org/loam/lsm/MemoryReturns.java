package org.loam.lsm;

/**
 * Learns of the memory of components that trees have no use for any more: it comes back as soon as
 * no reader is inside. Thread-safe. Called under the install lock of the tree or the commit latch:
 * must not wait.
 */
public interface MemoryReturns {
  /** Is not interested. */
  MemoryReturns NONE =
      new MemoryReturns() {
        @Override
        public void leaves(long bytes) {}

        @Override
        public void returned(long bytes) {}
      };

  /**
   * A component is about to leave its tree, in which it is still found when this is called.
   *
   * @param bytes that will come back
   */
  void leaves(long bytes);

  /**
   * A component was released.
   *
   * @param bytes as told before
   */
  void returned(long bytes);
}
