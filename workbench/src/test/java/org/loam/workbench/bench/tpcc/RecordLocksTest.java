package org.loam.workbench.bench.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks of terminals. */
class RecordLocksTest {
  private final RecordLocks locks = new RecordLocks();

  @Test
  void namesOfDifferentThingsDiffer() {
    assertThat(RecordLocks.warehouse(1)).isNotEqualTo(RecordLocks.district(1, 0));
    assertThat(RecordLocks.district(1, 5)).isNotEqualTo(RecordLocks.stock(1, 5));
    assertThat(RecordLocks.district(1, 5)).isNotEqualTo(RecordLocks.district(5, 1));
    assertThat(RecordLocks.stock(1, 5)).isNotEqualTo(RecordLocks.warehouse(1));
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void aLockKeepsTheOthersOutUntilItIsReleased() throws InterruptedException {
    AtomicBoolean released = new AtomicBoolean();
    AtomicBoolean sawReleased = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              try (RecordLocks.Held mine = locks.lock(8, RecordLocks.district(1, 1))) {
                sawReleased.set(released.get());
              }
            });
    try (RecordLocks.Held held = locks.lock(RecordLocks.district(1, 1), 7, 7)) {
      other.start();
      while (other.getState() != Thread.State.WAITING
          && other.getState() != Thread.State.TERMINATED) {
        Thread.onSpinWait();
      }
      released.set(true);
    }
    other.join();
    assertThat(sawReleased).isTrue();
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void locksInOppositeOrdersDoNotWaitInACircle() throws InterruptedException {
    int[] count = new int[1];
    Thread[] threads = new Thread[2];
    for (int t = 0; t < 2; t++) {
      long first = RecordLocks.stock(1, t == 0 ? 1 : 2);
      long second = RecordLocks.stock(1, t == 0 ? 2 : 1);
      threads[t] =
          new Thread(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  try (RecordLocks.Held held = locks.lock(first, second)) {
                    count[0]++;
                  }
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(count[0]).isEqualTo(40_000);
  }
}
