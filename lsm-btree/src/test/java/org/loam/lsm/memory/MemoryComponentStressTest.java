package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/** One writer, readers and scanners beside it, on real threads. */
class MemoryComponentStressTest {
  private static final int ROUNDS = Mem.CHECKED ? 6 : 30;
  private static final int READERS = 4;

  @ParameterizedTest
  @EnumSource(names = {"RANDOM", "ASCENDING", "DESCENDING", "OUTLIERS"})
  void readersSeeExactlyWhatWasPublished(KeyShape shape) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        int keys = round % 2 == 0 ? 700 : 6000;
        try (Fixture fixture = new Fixture(2000, 8192)) {
          new Round(fixture, shape, keys, round).run(threads);
        } catch (AssertionError | ExecutionException e) {
          throw new AssertionError(shape + ", round " + round, e);
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Write i, from 0, has LSN i + 1 and goes to the key i modulo the number of keys, in a shuffled
   * order; so every thread knows what is visible at a read LSN.
   */
  private static final class Round implements VersionRetention {
    private static final int PASSES = 3;
    private static final long FREE = -1;
    private static final long PENDING = -2;

    private final Fixture fixture;
    private final byte[][] keys;
    private final long seed;
    private final AtomicLongArray slots = new AtomicLongArray(READERS);
    private volatile long published;
    private volatile boolean written;

    Round(Fixture fixture, KeyShape shape, int keyCount, long seed) {
      this.fixture = fixture;
      this.seed = seed;
      this.keys = new byte[keyCount][];
      for (int i = 0; i < keyCount; i++) {
        keys[i] = shape.key(i);
        slots.set(i % READERS, FREE);
      }
      boolean ordered = shape == KeyShape.ASCENDING || shape == KeyShape.DESCENDING;
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = keyCount - 1; i > 0 && !ordered; i--) {
        int j = random.nextInt(i + 1);
        byte[] swapped = keys[i];
        keys[i] = keys[j];
        keys[j] = swapped;
      }
    }

    void run(ExecutorService threads) throws Exception {
      List<Future<?>> readers = new ArrayList<>();
      for (int slot = 0; slot < READERS; slot++) {
        int mine = slot;
        readers.add(threads.submit(() -> read(mine)));
      }
      try {
        write();
      } finally {
        written = true;
        for (Future<?> reader : readers) {
          reader.get();
        }
      }
      assertThat(fixture.component.keyCount()).isEqualTo(keys.length);
    }

    private void write() {
      SplittableRandom random = new SplittableRandom(seed);
      for (long i = 0; i < (long) PASSES * keys.length; i++) {
        long lsn = i + 1;
        if (random.nextInt(5) == 0) {
          rollBack(random, lsn);
        }
        int number = (int) (i % keys.length);
        fixture.put(keys[number], value(number, lsn), lsn, this);
        if (random.nextInt(3) == 0) {
          published = lsn;
        }
      }
      published = (long) PASSES * keys.length;
    }

    /** Writes what no reader may ever notice: over a key, or next to one. */
    private void rollBack(SplittableRandom random, long lsn) {
      byte[] key = keys[random.nextInt(keys.length)];
      if (random.nextBoolean()) {
        key = Arrays.copyOf(key, key.length + 1);
      }
      fixture.put(key, new byte[3], lsn, this);
      assertThat(fixture.undo(key, lsn)).isTrue();
    }

    @Override
    public boolean needs(long olderLsn, long newerLsn) {
      if (newerLsn > published) {
        return true;
      }
      for (int i = 0; i < READERS; i++) {
        long reader = slots.get(i);
        if (reader == PENDING || (reader >= olderLsn && reader < newerLsn)) {
          return true;
        }
      }
      return false;
    }

    private void read(int slot) {
      SplittableRandom random = new SplittableRandom(seed * READERS + slot);
      long key = Mem.allocate(1024, 8);
      try {
        do {
          if (slot % 2 == 0) {
            for (int i = 0; i < 100; i++) {
              inside(() -> find(key, random.nextInt(keys.length)));
            }
          } else {
            slots.set(slot, PENDING);
            long readLsn = published;
            slots.set(slot, readLsn);
            inside(() -> scan(key, readLsn, random));
            slots.set(slot, FREE);
          }
        } while (!written);
      } finally {
        slots.set(slot, FREE);
        Mem.free(key);
      }
    }

    private void inside(Runnable read) {
      int slot = fixture.epochs.enter();
      try {
        read.run();
      } finally {
        fixture.epochs.exit(slot);
      }
    }

    private long visible(int number, long readLsn) {
      long first = number + 1L;
      return readLsn < first ? 0 : first + (readLsn - first) / keys.length * keys.length;
    }

    private void find(long target, int number) {
      Mem.copyIn(keys[number], 0, target, keys[number].length);
      while (true) {
        long readLsn = published;
        long record = fixture.component.find(target, keys[number].length, readLsn);
        long expected = visible(number, readLsn);
        if (expected == 0) {
          assertThat(record).isIn(MemoryComponent.ABSENT, MemoryComponent.NOT_VISIBLE);
          return;
        }
        if (record != MemoryComponent.DROPPED) {
          assertThat(record).as("key %d at %d", number, readLsn).isPositive();
          assertThat(MemoryRecord.lsn(record)).isEqualTo(expected);
          assertThat(Fixture.key(record)).isEqualTo(keys[number]);
          assertThat(Fixture.value(record)).isEqualTo(value(number, expected));
          return;
        }
        assertThat(published).as("dropped, but still published").isGreaterThan(readLsn);
      }
    }

    private void scan(long target, long readLsn, SplittableRandom random) {
      boolean forward = random.nextBoolean();
      boolean whole = random.nextBoolean();
      byte[] from = keys[random.nextInt(keys.length)];
      Mem.copyIn(from, 0, target, from.length);
      int count = 0;
      byte[] last = null;
      try (EntryCursor cursor = fixture.component.cursor(readLsn)) {
        boolean at =
            forward
                ? whole ? cursor.first() : cursor.ceiling(target, from.length)
                : whole ? cursor.last() : cursor.lower(target, from.length);
        while (at) {
          byte[] key = Fixture.key(cursor);
          if (last != null) {
            int order = Arrays.compareUnsigned(last, key);
            assertThat(forward ? order : -order).as("order").isNegative();
          }
          last = key;
          byte[] value = Fixture.value(cursor);
          int number = number(value);
          assertThat(key).isEqualTo(keys[number]);
          assertThat(cursor.lsn()).isEqualTo(visible(number, readLsn));
          assertThat(value).isEqualTo(value(number, cursor.lsn()));
          count++;
          at = forward ? cursor.next() : cursor.previous();
        }
      }
      assertThat(count).isEqualTo(expectedCount(readLsn, forward, whole, from));
    }

    private int expectedCount(long readLsn, boolean forward, boolean whole, byte[] from) {
      int count = 0;
      for (int i = 0; i < Math.min(readLsn, keys.length); i++) {
        boolean before = Arrays.compareUnsigned(keys[i], from) < 0;
        count += whole || forward != before ? 1 : 0;
      }
      return count;
    }

    private static byte[] value(int number, long lsn) {
      byte[] value = new byte[4 + (int) (lsn % 41)];
      Arrays.fill(value, (byte) lsn);
      for (int i = 0; i < 4; i++) {
        value[i] = (byte) (number >>> (8 * i));
      }
      return value;
    }

    private static int number(byte[] value) {
      int number = 0;
      for (int i = 0; i < 4; i++) {
        number |= (value[i] & 0xff) << (8 * i);
      }
      return number;
    }
  }

  @Test
  void recordsPreparedAtOnceDoNotTouchEachOther() throws Exception {
    int perThread = Mem.CHECKED ? 1000 : 4000;
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try (Fixture fixture = new Fixture(6000, 4096)) {
      List<Future<long[]>> batches = new ArrayList<>();
      for (int t = 0; t < READERS; t++) {
        int thread = t;
        batches.add(threads.submit(() -> prepare(fixture, thread, perThread)));
      }
      for (int t = 0; t < READERS; t++) {
        long[] records = batches.get(t).get();
        SplittableRandom random = new SplittableRandom(t);
        for (long record : records) {
          byte[] key = randomBytes(random, 40);
          byte[] value = randomBytes(random, random.nextInt(50) == 0 ? 20_000 : 300);
          assertThat(record).as("thread %d", t).isPositive();
          assertThat(Fixture.key(record)).isEqualTo(key);
          assertThat(Fixture.value(record)).isEqualTo(value);
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static long[] prepare(Fixture fixture, int seed, int count) {
    long[] records = new long[count];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      byte[] key = randomBytes(random, 40);
      byte[] value = randomBytes(random, random.nextInt(50) == 0 ? 20_000 : 300);
      records[i] = fixture.component.prepare(EntryKind.PUT, key, value);
    }
    return records;
  }

  private static byte[] randomBytes(SplittableRandom random, int most) {
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }
}
