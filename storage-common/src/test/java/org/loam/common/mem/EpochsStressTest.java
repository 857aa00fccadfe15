package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Readers follow shared addresses to blocks that writers replace; a released block is overwritten
 * before it is used again. A reader that sees the overwriting, or two owners of one slot, fails.
 */
class EpochsStressTest {
  private static final int BLOCK_BYTES = 64;
  private static final int CELLS = 4;
  private static final long POISON = 0xDEAD_DEAD_DEAD_DEADL;

  private final SpinWaiter waiter = new SpinWaiter();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @ParameterizedTest
  @CsvSource({"4, 2, 64", "12, 4, 4", "6, 2, 1"})
  void nothingIsReleasedWhileAThreadInsideCouldSeeIt(int readers, int writers, int slots)
      throws InterruptedException {
    long before = Mem.liveBytes();
    Epochs epochs = new Epochs(waiter, slots);
    long cells = Mem.allocate(CELLS * 8, 8);
    for (int i = 0; i < CELLS; i++) {
      Mem.putLongVolatile(cells + 8L * i, newBlock(i));
    }
    AtomicInteger writersLeft = new AtomicInteger(writers);
    AtomicInteger[] owners = new AtomicInteger[slots];
    for (int i = 0; i < slots; i++) {
      owners[i] = new AtomicInteger();
    }
    AtomicLong released = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int r = 0; r < readers; r++) {
      threads.add(
          start(
              () -> {
                for (int n = 0; writersLeft.get() > 0; n++) {
                  read(epochs, owners, cells + 8L * (n % CELLS));
                }
              }));
    }
    int replacements = 4_000;
    for (int w = 0; w < writers; w++) {
      threads.add(
          start(
              () -> {
                try {
                  for (int n = 0; n < replacements; n++) {
                    replace(epochs, released, cells + 8L * (n % CELLS), n);
                  }
                } finally {
                  writersLeft.decrementAndGet();
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    epochs.close();
    assertThat(failure.get()).isNull();
    assertThat(released.get()).isEqualTo((long) writers * replacements);
    for (int i = 0; i < CELLS; i++) {
      Mem.free(Mem.getLong(cells + 8L * i));
    }
    Mem.free(cells);
    assertThat(Mem.liveBytes()).isEqualTo(before);
  }

  private void read(Epochs epochs, AtomicInteger[] owners, long cell) {
    int slot = epochs.enter();
    try {
      assertThat(owners[slot].incrementAndGet()).as("owners of slot %d", slot).isEqualTo(1);
      long block = Mem.getLongVolatile(cell);
      for (int turn = 0; turn < 4; turn++) {
        long first = Mem.getLong(block);
        assertThat(first).isNotEqualTo(POISON);
        for (int i = 8; i < BLOCK_BYTES; i += 8) {
          assertThat(Mem.getLong(block + i)).as("a block in use does not change").isEqualTo(first);
        }
        waiter.spin();
      }
    } finally {
      owners[slot].decrementAndGet();
      epochs.exit(slot);
    }
  }

  private static void replace(Epochs epochs, AtomicLong released, long cell, int n) {
    long fresh = newBlock(n);
    long old = Mem.getLongVolatile(cell);
    while (!Mem.compareAndSetLong(cell, old, fresh)) {
      old = Mem.getLongVolatile(cell);
    }
    long unlinked = old;
    epochs.retire(
        () -> {
          released.incrementAndGet();
          for (int i = 0; i < BLOCK_BYTES; i += 8) {
            Mem.putLong(unlinked + i, POISON);
          }
          Mem.free(unlinked);
        });
  }

  private static long newBlock(long value) {
    long block = Mem.allocate(BLOCK_BYTES, 64);
    for (int i = 0; i < BLOCK_BYTES; i += 8) {
      Mem.putLong(block + i, value);
    }
    return block;
  }

  private Thread start(Runnable body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              }
            });
    thread.start();
    return thread;
  }
}
