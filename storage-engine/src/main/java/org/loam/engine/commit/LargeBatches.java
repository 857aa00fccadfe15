package org.loam.engine.commit;

import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;
import org.loam.common.mem.FixedMemory;

/** One buffer for batches that no operation's scratch memory can hold; one writer at a time. */
public final class LargeBatches {
  private final long buffer;
  private final int maxBytes;
  private final Monitor lock;

  /**
   * @param maxBytes largest payload of a batch
   */
  public LargeBatches(FixedMemory memory, int maxBytes, Waiter waiter) {
    this.buffer = memory.allocate("large batches", maxBytes, 64);
    this.maxBytes = maxBytes;
    this.lock = waiter.newMonitor("large batch buffer");
  }

  /** Refuses a batch whose payload is too large. */
  void requireFits(long payloadBytes) {
    if (payloadBytes > maxBytes) {
      throw new IllegalArgumentException(
          "the batch takes "
              + payloadBytes
              + " bytes, must be at most "
              + maxBytes
              + ": the least of 32 MiB, a quarter of log.segmentBytes, an eighth of"
              + " write.initialBytes and a sixteenth of memory.total; split the batch, or raise"
              + " what limits it");
    }
  }

  long borrow() {
    lock.lock();
    return buffer;
  }

  void giveBack() {
    lock.unlock();
  }
}
