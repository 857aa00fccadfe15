package org.loam.it.history;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.loam.engine.Cursor;
import org.loam.engine.ScanOptions;

/**
 * A scan over keys of consecutive numbers, and what it must show: each key once, in order, those
 * that are left out are absent.
 */
record RangeScan(ScanOptions options, int from, int to, boolean forward, long limit) {
  /** All of so many keys. */
  static RangeScan all(int count) {
    return new RangeScan(ScanOptions.all(), 0, count, true, Long.MAX_VALUE);
  }

  /** Any scan over some of so many keys. */
  static RangeScan random(RandomGenerator random, int count) {
    ScanOptions options = ScanOptions.all();
    int from = 0;
    int to = count;
    switch (random.nextInt(5)) {
      case 0 -> {
        int tens = random.nextInt((count + 9) / 10);
        from = 10 * tens;
        to = Math.min(count, from + 10);
        options = options.prefix(Arrays.copyOf(Content.bound(from), 2));
      }
      case 1 -> {}
      default -> {
        from = random.nextInt(count);
        to = from + random.nextInt(count - from);
        options = options.from(Content.bound(from)).to(Content.bound(to));
      }
    }
    long limit = Long.MAX_VALUE;
    if (random.nextInt(3) == 0) {
      limit = random.nextInt(30);
      options = options.limit(limit);
    }
    boolean forward = random.nextBoolean();
    return new RangeScan(forward ? options : options.reverse(), from, to, forward, limit);
  }

  /**
   * Reads to the end and notes what was seen.
   *
   * @param firstSlot that of key 0
   * @param between runs before each step
   */
  void read(Cursor cursor, int firstSlot, Moment moment, Runnable between) {
    String what = describe();
    int next = forward ? from : to - 1;
    int step = forward ? 1 : -1;
    long count = 0;
    for (between.run(); cursor.next(); between.run()) {
      count++;
      int id = Content.id(cursor.key());
      if (id < from || id >= to || (id - next) * step < 0 || count > limit) {
        throw new HistoryError(what + ": entry " + count + " has key " + id + " of " + next);
      }
      for (; next != id; next += step) {
        moment.see(what, firstSlot + next, null);
      }
      moment.see(what, firstSlot + id, cursor.value());
      next += step;
    }
    if (count < limit) {
      for (; from <= next && next < to; next += step) {
        moment.see(what, firstSlot + next, null);
      }
    }
  }

  private String describe() {
    return "scan of "
        + (limit == Long.MAX_VALUE ? "" : limit + " in ")
        + (forward ? "[" + from + ", " + to + ")" : "[" + from + ", " + to + ") in reverse");
  }
}
