package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.ClosedException;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Schedules of readers that come and go while what they look at is taken away. */
@Tag("once")
@Explored
class EpochsScheduleTest {
  private static final int SCHEDULES = 1000;

  /** What readers reach without a lock. */
  private static final class Block {
    private volatile boolean isReleased;

    void release() {
      assertThat(isReleased).as("released before").isFalse();
      isReleased = true;
    }

    void read() {
      assertThat(isReleased).as("released while it is read").isFalse();
    }
  }

  /** A block that is exchanged for fresh ones. */
  private static final class Shared {
    final Epochs epochs;
    final AtomicReference<Block> current = new AtomicReference<>(new Block());
    final List<Block> retired = new ArrayList<>();

    Shared(Simulation sim, int slots) {
      epochs = new Epochs(sim.env().waiter(), slots);
    }

    void exchange(int times) {
      for (int i = 0; i < times; i++) {
        Block old = current.getAndSet(new Block());
        retired.add(old);
        epochs.retire(old::release);
      }
    }

    /** Takes moments in place of retiring, and looks once whether they have passed. */
    void exchangeByMoments(int times) {
      for (int i = 0; i < times; i++) {
        Block old = current.getAndSet(new Block());
        long moment = epochs.moment();
        if (epochs.hasPassed(moment)) {
          old.release();
        }
      }
    }

    void read(int times) {
      for (int i = 0; i < times; i++) {
        int slot = epochs.enter();
        try {
          Block block = current.get();
          block.read();
          block.read();
        } finally {
          epochs.exit(slot);
        }
      }
    }

    /** Reads as long as the epochs are open. */
    void readWhileOpen() {
      try {
        read(3);
      } catch (ClosedException e) {
        assertThat(e).hasMessage("the epochs are closed");
      }
    }

    void checkAllReleased() {
      assertThat(retired).allMatch(block -> block.isReleased);
      assertThat(epochs.retiredCount()).isZero();
    }
  }

  @Test
  void nothingIsReleasedThatAReaderLooksAt() {
    Schedules.explore(SCHEDULES, sim -> exchangeBesideReaders(sim, 4));
  }

  @Test
  void readersWaitForASlot() {
    Schedules.explore(SCHEDULES, sim -> exchangeBesideReaders(sim, 1));
  }

  @Test
  void aMomentHasPassedWhenItsReadersHaveLeft() {
    Schedules.explore(
        10 * SCHEDULES,
        sim -> {
          Shared shared = new Shared(sim, 4);
          sim.run(
              () -> shared.exchangeByMoments(2),
              () -> shared.exchangeByMoments(2),
              () -> shared.read(1));
        });
  }

  private static void exchangeBesideReaders(Simulation sim, int slots) {
    Shared shared = new Shared(sim, slots);
    sim.run(
        () -> shared.exchange(2),
        () -> shared.exchange(1),
        () -> shared.read(2),
        () -> shared.read(2));
    shared.epochs.collect();
    shared.checkAllReleased();
  }

  @Test
  void aReaderMayBeInsideTwice() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Shared shared = new Shared(sim, 4);
          sim.run(
              () -> shared.exchange(2),
              () -> {
                int outer = shared.epochs.enter();
                Block block = shared.current.get();
                shared.read(1);
                block.read();
                shared.epochs.exit(outer);
              },
              shared.epochs::collect);
          shared.epochs.collect();
          shared.checkAllReleased();
        });
  }

  @Test
  void closingWaitsForReadersAndReleasesEverything() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Shared shared = new Shared(sim, 2);
          sim.run(
              shared::readWhileOpen,
              shared::readWhileOpen,
              () -> {
                shared.exchange(2);
                shared.epochs.close();
                shared.checkAllReleased();
                shared.current.get().release();
              },
              shared.epochs::collect);
        });
  }
}
