package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.common.error.ClosedException;

class EpochsTest {
  private final Epochs epochs = new Epochs(new SpinWaiter(), 4);
  private final List<String> released = new ArrayList<>();

  @Test
  void withNoThreadInsideTheReleaseRunsAtOnce() {
    epochs.retire(() -> released.add("a"));
    assertThat(released).containsExactly("a");
    assertThat(epochs.retiredCount()).isZero();
  }

  @Test
  void oneInsideHoldsBackWhatWasRetiredMeanwhileButNotWhatCameBefore() {
    epochs.retire(() -> released.add("before"));
    int slot = epochs.enter();
    epochs.retire(() -> released.add("meanwhile"));
    epochs.collect();
    assertThat(released).containsExactly("before");
    assertThat(epochs.retiredCount()).isEqualTo(1);
    epochs.exit(slot);
    epochs.collect();
    assertThat(released).containsExactly("before", "meanwhile");
  }

  @Test
  void oneThatEnteredLaterDoesNotHoldBack() {
    int early = epochs.enter();
    epochs.retire(() -> released.add("a"));
    int late = epochs.enter();
    epochs.exit(early);
    epochs.collect();
    assertThat(released).containsExactly("a");
    epochs.retire(() -> released.add("b"));
    assertThat(released).containsExactly("a");
    epochs.exit(late);
    epochs.collect();
    assertThat(released).containsExactly("a", "b");
  }

  @Test
  void aReleaseMayRetireAndEnter() {
    int slot = epochs.enter();
    epochs.retire(
        () -> {
          int inner = epochs.enter();
          epochs.retire(() -> released.add("inner"));
          epochs.exit(inner);
          released.add("outer");
        });
    epochs.exit(slot);
    epochs.collect();
    epochs.collect();
    assertThat(released).containsExactly("outer", "inner");
  }

  @Test
  void aFailingReleaseLeavesTheOthersQueued() {
    int slot = epochs.enter();
    epochs.retire(
        () -> {
          throw new IllegalStateException("release");
        });
    epochs.retire(() -> released.add("b"));
    epochs.exit(slot);
    assertThatThrownBy(epochs::collect).isInstanceOf(IllegalStateException.class);
    epochs.collect();
    assertThat(released).containsExactly("b");
  }

  @Test
  void slotsAreDenseDistinctAndReused() {
    List<Integer> slots = new ArrayList<>();
    for (int i = 0; i < epochs.slots(); i++) {
      slots.add(epochs.enter());
    }
    assertThat(slots).containsExactlyInAnyOrder(0, 1, 2, 3);
    slots.forEach(epochs::exit);
    int again = epochs.enter();
    assertThat(again).isEqualTo(slots.get(0));
    epochs.exit(again);
  }

  @Test
  void leavingTwiceIsABrokenInvariant() {
    int slot = epochs.enter();
    epochs.exit(slot);
    assertThatThrownBy(() -> epochs.exit(slot))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("slot " + slot);
  }

  @Test
  void closingRunsEverythingAndLetsNoThreadInAgain() throws InterruptedException {
    int slot = epochs.enter();
    epochs.retire(() -> released.add("a"));
    Thread closer = new Thread(epochs::close);
    closer.start();
    while (closer.isAlive()) {
      // Once closing has begun no thread gets in, and the release still waits for this thread.
      try {
        epochs.exit(epochs.enter());
      } catch (ClosedException expected) {
        break;
      }
    }
    assertThat(released).isEmpty();
    epochs.exit(slot);
    closer.join();
    assertThat(released).containsExactly("a");
    assertThatThrownBy(epochs::enter).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> epochs.retire(() -> {})).isInstanceOf(ClosedException.class);
    epochs.collect();
    epochs.close();
  }

  @Test
  void slotCountsThatAreNoPowerOfTwoAreRefused() {
    for (int slots : new int[] {0, -4, 3, 1 << 17}) {
      assertThatThrownBy(() -> new Epochs(new SpinWaiter(), slots))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(slots));
    }
  }
}
