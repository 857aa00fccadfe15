package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.FrameWords.Dropped;
import org.loam.cache.frame.FrameWords.Last;
import org.loam.cache.frame.FrameWords.Use;
import org.loam.common.mem.Mem;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of one frame: whatever way its page is taken out, no reader has it pinned then. */
@Tag("once")
@Explored
class FrameWordsScheduleTest {
  private static final long PAGE = 7;

  /** Each thread that owns the frame says so in here, one at a time. */
  private static final class Owners {
    private volatile int count;

    @SuppressWarnings("NonAtomicVolatileUpdate") // so that two owners show
    void own(FrameWords words) {
      assertThat(++count).isEqualTo(1);
      words.clear(0);
      assertThat(words.pins(0)).isZero();
      count--;
    }
  }

  /** A reader pins the page twice; another thread takes it out if it can. */
  private static void explore(Use use, ReadIntent intent, Predicate<FrameWords> take) {
    Schedules.explore(
        2000,
        sim -> {
          long base = Mem.allocate(FrameWords.BYTES, 64);
          FrameWords words = new FrameWords(base, 1);
          words.hold(0);
          words.list(0, PAGE, use);
          words.unpin(0);
          Owners owners = new Owners();
          sim.run(
              () -> {
                for (int i = 0; i < 2; i++) {
                  if (words.pin(0, PAGE, intent)) {
                    assertThat(words.pins(0)).isEqualTo(1);
                    if (words.unpin(0) == Last.DOOMED) {
                      owners.own(words);
                    }
                  }
                }
              },
              () -> {
                if (take.test(words)) {
                  owners.own(words);
                }
              });
          assertThat(words.pins(0)).isZero();
          Mem.free(base);
        });
  }

  @Test
  void theClockTakesNoPinnedPage() {
    explore(Use.NOW, ReadIntent.QUERY_ONCE, words -> words.passClock(0));
  }

  @Test
  void aTrialEndsForNoPinnedPage() {
    explore(Use.NOW, ReadIntent.QUERY_ONCE, words -> words.takeUnused(0, words.version(0)));
  }

  @Test
  void aPageThatNoThreadWantsIsFreedByOne() {
    explore(Use.ONCE, ReadIntent.QUERY_ONCE, words -> words.takePassing(0));
  }

  @Test
  void aPurgeLeavesAPinnedPageToItsReader() {
    explore(Use.NOW, ReadIntent.QUERY, words -> words.drop(0, PAGE) == Dropped.TAKEN);
  }
}
