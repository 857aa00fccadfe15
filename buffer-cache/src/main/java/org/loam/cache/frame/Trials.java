package org.loam.cache.frame;

import org.jspecify.annotations.Nullable;
import org.loam.cache.frame.FrameWords.Use;

/**
 * The queues of pages on trial: one for pages missed one by one, and one for those of stretches,
 * which come many to a request and would push the others out of a queue that they shared.
 * Thread-safe.
 */
final class Trials {
  /** Pages missed one by one: enough to tell a page used twice in a short time from the others. */
  private static final int SINGLES_FRACTION = 16;

  private static final int STRETCHES_FRACTION = 8;

  private final TrialQueue singles;
  private final TrialQueue stretches;

  /**
   * @param base address of {@link #bytes} bytes, a multiple of 8
   */
  Trials(FrameWords words, long base, int frameCount) {
    stretches = new TrialQueue(words, base, frameCount, STRETCHES_FRACTION);
    singles =
        new TrialQueue(
            words,
            base + TrialQueue.bytes(frameCount, STRETCHES_FRACTION),
            frameCount,
            SINGLES_FRACTION);
  }

  static long bytes(int frameCount) {
    return TrialQueue.bytes(frameCount, STRETCHES_FRACTION)
        + TrialQueue.bytes(frameCount, SINGLES_FRACTION);
  }

  /**
   * Where a missed page goes on trial.
   *
   * @param frames size of the cache
   * @return null if it does not, because it is known to be wanted, or not to be
   */
  @Nullable TrialQueue of(long pageId, Use use, int frames) {
    TrialQueue queue =
        switch (use.trial()) {
          case NONE -> null;
          case SINGLE -> singles;
          case STRETCH -> stretches;
        };
    return queue == null || queue.leftLately(PageTable.hash(pageId), frames) ? null : queue;
  }

  /** Whether a queue is the one for pages missed one by one. */
  boolean isOfSingles(TrialQueue queue) {
    return queue == singles;
  }
}
