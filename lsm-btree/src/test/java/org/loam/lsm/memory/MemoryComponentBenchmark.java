package org.loam.lsm.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.lsm.read.EntryCursor;

/**
 * Measures a memory component in processor time of one thread, nanoseconds per operation, best of
 * some rounds; run by hand, without {@code -Dloam.mem.check}. Arguments: the numbers of keys.
 */
public final class MemoryComponentBenchmark {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int PAGE_BYTES = 16 << 10;
  private static final VersionRetention KEEP_NONE = (older, newer) -> false;

  private enum Keys {
    /** 8 random bytes. */
    RANDOM(8),
    /** YCSB: "user" and 19 digits of a hash. */
    USER(23),
    /** 16 bytes that all keys share, 8 random. */
    PREFIXED(24),
    /** Like PREFIXED, and one key that shares nothing. */
    OUTLIER(24),
    /** 8 bytes, ascending. */
    ORDERED(8);

    private final int bytes;

    Keys(int bytes) {
      this.bytes = bytes;
    }

    void write(long target, int number) {
      long mixed = mix(number);
      switch (this) {
        case RANDOM -> Mem.putLong(target, mixed);
        case ORDERED -> Mem.putLong(target, Long.reverseBytes(number));
        case USER -> {
          String text = String.format(Locale.ROOT, "user%019d", mixed >>> 1);
          Mem.copyIn(text.getBytes(StandardCharsets.ISO_8859_1), 0, target, bytes);
        }
        case PREFIXED, OUTLIER -> {
          Mem.fill(target, 16, (byte) 'p');
          Mem.putLong(target + 16, mixed);
          if (this == OUTLIER && number == 0) {
            Mem.putByte(target, (byte) 'a');
          }
        }
      }
    }

    private static long mix(long number) {
      long z = (number + 1) * 0x9e3779b97f4a7c15L;
      z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      return z ^ (z >>> 31);
    }
  }

  private final Keys keys;
  private final int count;
  private final int valueBytes;
  private final long keyArea;
  private final long value;
  private final int[] order;
  private final double[] best = new double[6];

  private MemoryComponentBenchmark(Keys keys, int count, int valueBytes) {
    this.keys = keys;
    this.count = count;
    this.valueBytes = valueBytes;
    this.keyArea = Mem.allocate((long) count * keys.bytes, 8);
    this.value = Mem.allocate(valueBytes, 8);
    Mem.fill(value, valueBytes, (byte) 7);
    this.order = new int[count];
    for (int i = 0; i < count; i++) {
      keys.write(key(i), i);
      order[i] = i;
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = count - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    Arrays.fill(best, Double.MAX_VALUE);
  }

  /** Runs all measurements. */
  public static void main(String[] args) {
    System.out.printf(
        "%-9s %9s %6s %8s %8s %8s %8s %8s %8s %9s%n",
        "keys", "count", "value", "prepare", "insert", "find", "update", "scan", "reverse",
        "B/entry");
    int[] counts = {200_000};
    if (args.length > 0) {
      counts = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
    }
    for (int round = 0; round < 2; round++) {
      for (int count : counts) {
        for (Keys keys : Keys.values()) {
          new MemoryComponentBenchmark(keys, count, 100 - keys.bytes).run(round > 0);
        }
        if (count <= 1_000_000) {
          new MemoryComponentBenchmark(Keys.USER, count, 1000).run(round > 0);
        }
      }
    }
  }

  private void run(boolean print) {
    int rounds = (int) Math.max(3, Math.min(10, 2_000_000L / count));
    double entryBytes = 0;
    for (int round = 0; round < rounds; round++) {
      long bytes = 2L * count * (valueBytes + keys.bytes + 64) + count * 40L + (8 << 20);
      int pages = (int) (bytes / PAGE_BYTES);
      try (PagePool pool = new PagePool(pages, PAGE_BYTES)) {
        Mem.fill(pool.base(), (long) pages * PAGE_BYTES, (byte) 0);
        MemoryComponent component =
            new MemoryComponent(pool.quota("bench", pages), PAGE_BYTES, new SpinWaiter());
        insert(component, 1, 1);
        entryBytes = component.usedBytes() / (double) count;
        find(component);
        scan(component);
        insert(component, count + 1, 3);
        component.release();
      }
    }
    Mem.free(keyArea);
    Mem.free(value);
    if (print) {
      System.out.printf(
          "%-9s %9d %6d %8.0f %8.0f %8.0f %8.0f %8.1f %8.1f %9.1f%n",
          keys,
          count,
          valueBytes,
          best[0],
          best[1],
          best[2],
          best[3],
          best[4],
          best[5],
          entryBytes);
    }
  }

  private long key(int i) {
    return keyArea + (long) i * keys.bytes;
  }

  /** Prepares all records, then inserts them in batches of 100, as commits would. */
  private void insert(MemoryComponent component, long firstLsn, int slot) {
    long[] records = new long[count];
    long lsn = firstLsn;
    long then = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < count; i++) {
      records[i] = component.prepare(EntryKind.PUT, key(i), keys.bytes, value, valueBytes);
    }
    long now = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < count; i += 100) {
      int n = Math.min(100, count - i);
      if (!component.reserve(n)) {
        throw new AssertionError("quota used up at " + i);
      }
      for (int j = 0; j < n; j++) {
        component.insert(records[i + j], lsn++, KEEP_NONE);
      }
    }
    note(slot, THREADS.getCurrentThreadCpuTime() - now);
    if (slot == 1) {
      note(0, now - then);
    }
  }

  private void find(MemoryComponent component) {
    long found = 0;
    long then = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < count; i++) {
      long record = component.find(key(order[i]), keys.bytes, Long.MAX_VALUE);
      found += record > 0 ? 1 : 0;
    }
    note(2, THREADS.getCurrentThreadCpuTime() - then);
    if (found != count) {
      throw new AssertionError("found " + found + " of " + count);
    }
  }

  private void scan(MemoryComponent component) {
    long sum = 0;
    try (EntryCursor cursor = component.cursor(Long.MAX_VALUE)) {
      long then = THREADS.getCurrentThreadCpuTime();
      for (boolean at = cursor.first(); at; at = cursor.next()) {
        sum += Mem.getByte(cursor.keyAddress()) + cursor.keyLength() + cursor.valueLength();
      }
      note(4, THREADS.getCurrentThreadCpuTime() - then);
      then = THREADS.getCurrentThreadCpuTime();
      for (boolean at = cursor.last(); at; at = cursor.previous()) {
        sum -= Mem.getByte(cursor.keyAddress()) + cursor.keyLength() + cursor.valueLength();
      }
      note(5, THREADS.getCurrentThreadCpuTime() - then);
    }
    if (sum != 0) {
      throw new AssertionError("scans differ");
    }
  }

  private void note(int slot, long nanos) {
    best[slot] = Math.min(best[slot], nanos / (double) count);
  }
}
