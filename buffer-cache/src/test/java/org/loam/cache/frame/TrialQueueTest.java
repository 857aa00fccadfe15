package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.FrameWords.Use;
import org.loam.common.mem.Mem;

/** Which pages leave the queue, and which of them are remembered. */
class TrialQueueTest {
  private static final int FRAMES = 32;

  /** As many as may be on trial. */
  private static final int LIMIT = FRAMES / 8;

  private long memory;
  private FrameWords words;
  private TrialQueue trials;

  @BeforeEach
  void allocate() {
    memory = Mem.allocate(FrameWords.bytes(FRAMES) + TrialQueue.bytes(FRAMES, 8), 64);
    words = new FrameWords(memory, FRAMES);
    trials = new TrialQueue(words, memory + FrameWords.bytes(FRAMES), FRAMES, 8);
  }

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  /** Brings a page to a frame, on trial. */
  private void bring(int frame, long pageId) {
    words.hold(frame);
    words.list(frame, pageId, Use.FIRST_OF_MANY);
    trials.add(frame, FRAMES);
    words.unpin(frame);
  }

  private void bringSome(int count) {
    for (int frame = 0; frame < count; frame++) {
      bring(frame, 100 + frame);
    }
  }

  private void use(int frame) {
    assertThat(words.pin(frame, words.pageId(frame), ReadIntent.QUERY)).isTrue();
    words.unpin(frame);
  }

  private boolean leftLately(long pageId) {
    return trials.leftLately(PageTable.hash(pageId), FRAMES);
  }

  @Test
  void nothingLeavesBeforeTheQueueIsFull() {
    bringSome(LIMIT - 1);
    assertThat(trials.takeOldest(FRAMES)).isEqualTo(PageTable.NONE);
  }

  @Test
  void theOldestLeavesAndIsRemembered() {
    bringSome(LIMIT);
    assertThat(leftLately(100)).isFalse();
    assertThat(trials.takeOldest(FRAMES)).isZero();
    assertThat(words.isListed(0)).isFalse();
    assertThat(leftLately(100)).isTrue();
    assertThat(leftLately(101)).isFalse();
    assertThat(trials.takeOldest(FRAMES)).as("no longer full").isEqualTo(PageTable.NONE);
  }

  @Test
  void whatWasUsedAgainStays() {
    bringSome(LIMIT);
    use(0);
    assertThat(trials.takeOldest(FRAMES)).as("one less on trial").isEqualTo(PageTable.NONE);
    assertThat(words.isListed(0)).isTrue();
    bring(LIMIT, 200);
    assertThat(trials.takeOldest(FRAMES)).isEqualTo(1);
    assertThat(leftLately(100)).isFalse();
  }

  @Test
  void whatIsPinnedStays() {
    bringSome(LIMIT);
    assertThat(words.pin(0, 100, ReadIntent.QUERY_ONCE)).isTrue();
    assertThat(trials.takeOldest(FRAMES)).isEqualTo(PageTable.NONE);
    assertThat(words.isListed(0)).isTrue();
  }

  @Test
  void aFrameWithAnotherPageByNowStays() {
    bringSome(LIMIT);
    assertThat(words.passClock(0)).as("evicted by the clock").isTrue();
    words.hold(0);
    words.list(0, 300, Use.NOW);
    words.unpin(0);
    assertThat(trials.takeOldest(FRAMES)).isEqualTo(PageTable.NONE);
    assertThat(words.isListed(0)).isTrue();
  }

  @Test
  void theOldestIsOnTrialNoMoreIfMoreComeThanLeave() {
    bringSome(3 * LIMIT);
    assertThat(trials.takeOldest(FRAMES)).isEqualTo(2 * LIMIT);
    assertThat(words.isListed(0)).isTrue();
  }

  @Test
  void aCacheThatShrinksHasFewerOnTrial() {
    bringSome(LIMIT);
    assertThat(trials.takeOldest(FRAMES / 2)).isZero();
    assertThat(trials.takeOldest(FRAMES / 2)).isEqualTo(1);
    assertThat(trials.takeOldest(FRAMES / 2)).isEqualTo(2);
    assertThat(trials.takeOldest(FRAMES / 2)).isEqualTo(PageTable.NONE);
  }

  /** Half as many places as frames: of many pages that left at most so many are known. */
  @Test
  void onlyTheLastThatLeftAreRemembered() {
    int pages = 100 * FRAMES;
    for (int page = 0; page < pages; page++) {
      int frame = trials.takeOldest(FRAMES);
      bring(frame == PageTable.NONE ? page : frame, 1000 + page);
    }
    int known = 0;
    for (int page = 0; page < pages; page++) {
      known += leftLately(1000 + page) ? 1 : 0;
    }
    assertThat(known).isBetween(FRAMES / 4, FRAMES / 2);
    assertThat(leftLately(1000 + pages - LIMIT - 1)).as("the last that left").isTrue();
  }
}
