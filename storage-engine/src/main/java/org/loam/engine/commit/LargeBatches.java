package org.loam.engine.commit;

import org.loam.common.env.Monitor;
import org.loam.common.env.Waiter;

/**
 * One buffer for batches that no operation's scratch memory can hold; one writer at a time. Below a
 * host's log nothing is encoded, so that there is no buffer and no limit: large batches only come
 * one at a time, because each may need most of the memory that there is.
 */
public final class LargeBatches {
  /**
   * How much one frame of the log may have.
   *
   * @param bytes largest payload of a batch
   * @param rule where that number comes from
   * @param remedy what raises it
   */
  public record Limit(int bytes, String rule, String remedy) {}

  /** A batch with more bytes than that is large: it takes many pages. */
  static final int THRESHOLD_BYTES = 64 << 10;

  private final long buffer;
  private final Limit limit;
  private final Monitor lock;

  private LargeBatches(long buffer, Limit limit, Waiter waiter) {
    this.buffer = buffer;
    this.limit = limit;
    this.lock = waiter.newMonitor("large batch buffer");
  }

  /**
   * For an engine with a log of its own.
   *
   * @param buffer as large as the limit
   */
  public static LargeBatches withBuffer(long buffer, Limit limit, Waiter waiter) {
    return new LargeBatches(buffer, limit, waiter);
  }

  /** For an engine below a host's log. */
  public static LargeBatches withoutBuffer(Waiter waiter) {
    return new LargeBatches(0, new Limit(Integer.MAX_VALUE, "", ""), waiter);
  }

  /** Refuses a batch whose payload is too large. */
  void requireFits(PreparedBatch batch) {
    long payloadBytes = batch.payloadBytes();
    if (payloadBytes <= limit.bytes()) {
      return;
    }
    long largest = batch.largestPayloadBytes();
    boolean isOfOne = batch.size() == 1 || largest > limit.bytes();
    throw new IllegalArgumentException(
        (isOfOne
                ? "the record takes " + largest
                : "the batch of " + batch.size() + " writes takes " + payloadBytes)
            + " bytes, must be at most "
            + limit.bytes()
            + ", "
            + limit.rule()
            + "; "
            + (isOfOne ? "" : "split the batch, or ")
            + limit.remedy());
  }

  long borrow() {
    lock.lock();
    return buffer;
  }

  void giveBack() {
    lock.unlock();
  }
}
