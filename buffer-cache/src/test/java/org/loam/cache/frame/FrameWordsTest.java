package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.FrameWords.Dropped;
import org.loam.cache.frame.FrameWords.Last;
import org.loam.cache.frame.FrameWords.Use;
import org.loam.common.mem.Mem;

/** The transitions of a frame, in the orders that threads may bring about between two steps. */
class FrameWordsTest {
  private static final int FRAME = 3;
  private static final long PAGE = (7L << 32) | 5;

  private long memory;
  private FrameWords words;

  @BeforeEach
  void allocate() {
    memory = Mem.allocate(FrameWords.bytes(8), 64);
    words = new FrameWords(memory, 8);
  }

  @AfterEach
  void free() {
    Mem.free(memory);
  }

  @Test
  void aHeldFrameCannotBePinned() {
    words.hold(FRAME);
    assertThat(words.pin(FRAME, PAGE, ReadIntent.QUERY)).isFalse();
    assertThat(words.pins(FRAME)).isEqualTo(1);
  }

  @Test
  void onlyItsOwnPageCanBePinned() {
    list(Use.NOW);
    assertThat(words.pin(FRAME, PAGE + 1, ReadIntent.QUERY)).isFalse();
    assertThat(words.pin(FRAME, PAGE, ReadIntent.QUERY)).isTrue();
    assertThat(words.pins(FRAME)).isEqualTo(2);
  }

  @Test
  void aPassingPagePinnedAgainBeforeItIsTakenStays() {
    list(Use.ONCE);
    assertThat(words.unpin(FRAME)).isEqualTo(Last.PASSING);
    assertThat(words.pin(FRAME, PAGE, ReadIntent.QUERY_ONCE)).isTrue();
    assertThat(words.takePassing(FRAME)).isFalse();
    assertThat(words.unpin(FRAME)).isEqualTo(Last.PASSING);
    assertThat(words.takePassing(FRAME)).isTrue();
    assertThat(words.takePassing(FRAME)).isFalse();
  }

  @Test
  void aPassingPageWantedBeforeItIsTakenStays() {
    list(Use.ONCE);
    assertThat(words.unpin(FRAME)).isEqualTo(Last.PASSING);
    assertThat(words.pin(FRAME, PAGE, ReadIntent.QUERY)).isTrue();
    assertThat(words.unpin(FRAME)).isEqualTo(Last.NO);
    assertThat(words.takePassing(FRAME)).isFalse();
  }

  @Test
  void aPassingPageDroppedBeforeItIsTakenHasOneOwner() {
    list(Use.ONCE);
    assertThat(words.unpin(FRAME)).isEqualTo(Last.PASSING);
    assertThat(words.drop(FRAME, PAGE)).isEqualTo(Dropped.TAKEN);
    assertThat(words.takePassing(FRAME)).isFalse();
  }

  @Test
  void theLastUnpinOwnsADoomedFrame() {
    list(Use.NOW);
    words.pin(FRAME, PAGE, ReadIntent.QUERY);
    assertThat(words.drop(FRAME, PAGE)).isEqualTo(Dropped.DOOMED);
    assertThat(words.drop(FRAME, PAGE)).isEqualTo(Dropped.ABSENT);
    assertThat(words.pin(FRAME, PAGE, ReadIntent.QUERY)).isFalse();
    assertThat(words.passClock(FRAME)).isFalse();
    assertThat(words.unpin(FRAME)).isEqualTo(Last.NO);
    assertThat(words.unpin(FRAME)).isEqualTo(Last.DOOMED);
  }

  @Test
  void dropTakesNoOtherPage() {
    list(Use.NOW);
    words.unpin(FRAME);
    assertThat(words.drop(FRAME, PAGE + 1)).isEqualTo(Dropped.ABSENT);
    assertThat(words.drop(FRAME, PAGE)).isEqualTo(Dropped.TAKEN);
    assertThat(words.isListed(FRAME)).isFalse();
  }

  @Test
  void theClockPassesPinnedPages() {
    list(Use.NOW);
    for (int turn = 0; turn < 10; turn++) {
      assertThat(words.passClock(FRAME)).isFalse();
    }
    words.unpin(FRAME);
    assertThat(words.passClock(FRAME)).isTrue();
  }

  /** One turn sees the hit and gives credit for it, one takes it back, the next evicts. */
  @Test
  void aHitIsWorthATurn() {
    list(Use.NOW);
    words.unpin(FRAME);
    hit(ReadIntent.QUERY);
    hit(ReadIntent.QUERY);
    assertThat(turnsToEvict()).isEqualTo(3);
  }

  @Test
  void creditEndsAtThreeTurns() {
    list(Use.NOW);
    words.unpin(FRAME);
    for (int turn = 0; turn < 9; turn++) {
      hit(ReadIntent.QUERY);
      assertThat(words.passClock(FRAME)).isFalse();
    }
    assertThat(turnsToEvict()).isEqualTo(4);
  }

  @Test
  void aReaderThatDoesNotFillGivesNoCredit() {
    list(Use.NOW);
    words.unpin(FRAME);
    hit(ReadIntent.QUERY_ONCE);
    assertThat(turnsToEvict()).isEqualTo(1);
  }

  /** Else a scan of many pages would keep each of them longer than a page read for itself. */
  @Test
  void theFirstUseOfAPageReadAheadIsNoHit() {
    list(Use.SOON);
    words.unpin(FRAME);
    hit(ReadIntent.QUERY);
    assertThat(turnsToEvict()).isEqualTo(1);
    list(Use.SOON);
    words.unpin(FRAME);
    hit(ReadIntent.QUERY);
    hit(ReadIntent.QUERY);
    assertThat(turnsToEvict()).isEqualTo(3);
  }

  @Test
  void aPageReadAheadForOneUseStaysUntilThatUse() {
    list(Use.SOON_ONCE);
    assertThat(words.unpin(FRAME)).isEqualTo(Last.PASSING);
    assertThat(words.takePassing(FRAME)).as("not used yet").isFalse();
    assertThat(words.pin(FRAME, PAGE, ReadIntent.QUERY_ONCE)).isTrue();
    assertThat(words.unpin(FRAME)).isEqualTo(Last.PASSING);
    assertThat(words.takePassing(FRAME)).isTrue();
  }

  @Test
  void aPageReadAheadForOneUseAndWantedByAnotherStays() {
    list(Use.SOON_ONCE);
    words.unpin(FRAME);
    hit(ReadIntent.QUERY);
    assertThat(words.takePassing(FRAME)).isFalse();
    assertThat(turnsToEvict()).isEqualTo(1);
  }

  @Test
  void noPageSurvivesTheMostTurns() {
    list(Use.NOW);
    words.unpin(FRAME);
    for (int turn = 0; turn < 3; turn++) {
      hit(ReadIntent.QUERY);
      words.passClock(FRAME);
    }
    hit(ReadIntent.QUERY);
    assertThat(turnsToEvict()).isEqualTo(FrameWords.MAX_TURNS);
  }

  private void list(Use use) {
    words.hold(FRAME);
    words.list(FRAME, PAGE, use);
  }

  private void hit(ReadIntent intent) {
    assertThat(words.pin(FRAME, PAGE, intent)).isTrue();
    assertThat(words.unpin(FRAME)).isEqualTo(Last.NO);
  }

  private int turnsToEvict() {
    int turns = 1;
    while (!words.passClock(FRAME)) {
      turns++;
    }
    return turns;
  }
}
