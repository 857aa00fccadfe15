package org.loam.engine.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.lsm.LsmTree;

/**
 * Reads many keys of a tree as of one moment (StabilityExt §7.2): in the order of the keys, so that
 * neighbours find their page in the cache, and many by several threads. Thread-safe.
 */
public final class MultiGet {
  /** Fewer keys than these are not worth waking a thread for. */
  private static final int MIN_PIECE = 16;

  /** Most bytes of the values that {@link #readFitting} returns, if they are more than one. */
  public static final long MAX_BYTES = 4 << 20;

  private final ReadHelpers helpers;
  private final TreeReader reader;

  MultiGet(ReadHelpers helpers, TreeReader reader) {
    this.helpers = helpers;
    this.reader = reader;
  }

  /**
   * Reads values.
   *
   * @param count how many of the keys
   * @param readLsn a registered one
   * @return the values in the order of the keys, null where there is none
   */
  public byte[] @Nullable [] read(LsmTree tree, byte[][] keys, int count, long readLsn) {
    byte[] @Nullable [] values = new byte[count][];
    readInto(values, tree, keys, readLsn, Long.MAX_VALUE);
    return values;
  }

  /**
   * Reads the values of the first keys, of as many as fit in {@link #MAX_BYTES}, but of one at
   * least. While it reads it holds at most one value more for each thread.
   *
   * @param count how many of the keys, at most
   * @param readLsn a registered one
   * @return the values in the order of the keys, null where there is none; as long as keys were
   *     read, which is none only if the count is 0
   */
  public byte[] @Nullable [] readFitting(LsmTree tree, byte[][] keys, int count, long readLsn) {
    int tried = count;
    while (tried > 1) {
      byte[] @Nullable [] values = new byte[tried][];
      if (readInto(values, tree, keys, readLsn, MAX_BYTES)) {
        return values;
      }
      tried = Math.min(tried / 2, fitting(values));
    }
    return read(tree, keys, tried, readLsn);
  }

  /**
   * How many values like these should be read together; at least one. They take half of {@link
   * #MAX_BYTES}, since the next ones may be larger.
   *
   * @param values null where there is none
   */
  public static int fitting(byte[] @Nullable [] values) {
    long count = 0;
    long bytes = 1;
    for (byte[] value : values) {
      if (value != null) {
        count++;
        bytes += value.length;
      }
    }
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, MAX_BYTES / 2 * count / bytes));
  }

  /** Reads a value for each place; false if they take more bytes, and some are missing then. */
  private boolean readInto(
      byte[] @Nullable [] values, LsmTree tree, byte[][] keys, long readLsn, long maxBytes) {
    int count = values.length;
    AtomicLong bytes = new AtomicLong();
    Integer[] order = new Integer[count];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Arrays.compareUnsigned(keys[a], keys[b]));
    int pieces = Math.max(1, Math.min(1 + ReadHelpers.THREADS, count / MIN_PIECE));
    List<Runnable> work = new ArrayList<>(pieces);
    for (int piece = 0; piece < pieces; piece++) {
      int from = (int) ((long) count * piece / pieces);
      int to = (int) ((long) count * (piece + 1) / pieces);
      work.add(
          () -> {
            for (int i = from; i < to && bytes.get() <= maxBytes; i++) {
              byte[] value = reader.read(tree, keys[order[i]], readLsn, ReadIntent.QUERY);
              values[order[i]] = value;
              bytes.addAndGet(value == null ? 0 : value.length);
            }
          });
    }
    if (pieces == 1) {
      work.get(0).run();
    } else {
      helpers.runAll(work);
    }
    return bytes.get() <= maxBytes;
  }
}
