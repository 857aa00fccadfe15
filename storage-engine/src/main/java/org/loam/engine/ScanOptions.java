package org.loam.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.error.Arguments;
import org.loam.common.key.Keys;
import org.loam.lsm.TreeScan;

/** Which keys a scan shows, and in which order. Immutable; keys are compared as unsigned bytes. */
public final class ScanOptions {
  private static final ScanOptions ALL =
      new ScanOptions(Bounds.NONE, Bounds.NONE, true, true, Long.MAX_VALUE);

  /** Keys from one on and before another; null for no bound. */
  @SuppressWarnings("ArrayRecordComponent") // bounds are not compared
  private record Bounds(byte @Nullable [] from, byte @Nullable [] to) {
    static final Bounds NONE = new Bounds(null, null);

    /** The keys that are within both. */
    Bounds and(Bounds other) {
      boolean beginsLater =
          from == null || (other.from != null && Arrays.compareUnsigned(other.from, from) > 0);
      boolean endsEarlier =
          to == null || (other.to != null && Arrays.compareUnsigned(other.to, to) < 0);
      return new Bounds(beginsLater ? other.from : from, endsEarlier ? other.to : to);
    }

    int longestBytes() {
      return Math.max(from == null ? 0 : from.length, to == null ? 0 : to.length);
    }
  }

  private final Bounds given;

  /** The keys that have the prefix. A bound that is given later does not widen them. */
  private final Bounds prefixed;

  private final boolean forward;
  private final boolean fillCache;
  private final long limit;

  private ScanOptions(
      Bounds given, Bounds prefixed, boolean forward, boolean fillCache, long limit) {
    this.given = given;
    this.prefixed = prefixed;
    this.forward = forward;
    this.fillCache = fillCache;
    this.limit = limit;
  }

  /** All keys, ascending. */
  public static ScanOptions all() {
    return ALL;
  }

  /**
   * These options, but keys from {@code key} on. Replaces an earlier {@code from}; a {@link
   * #prefix} still holds.
   */
  public ScanOptions from(byte[] key) {
    return within(new Bounds(copy(key, "from"), given.to));
  }

  /**
   * These options, but only keys before {@code key}. Replaces an earlier {@code to}; a {@link
   * #prefix} still holds.
   */
  public ScanOptions to(byte[] key) {
    return within(new Bounds(given.from, copy(key, "to")));
  }

  private ScanOptions within(Bounds bounds) {
    return new ScanOptions(bounds, prefixed, forward, fillCache, limit);
  }

  /** These options, but of their keys only those that begin with {@code prefix}. */
  public ScanOptions prefix(byte[] prefix) {
    byte[] begin = copy(prefix, "prefix");
    Bounds keys = prefixed.and(new Bounds(begin, Keys.afterPrefix(begin)));
    return new ScanOptions(given, keys, forward, fillCache, limit);
  }

  /** These options, but in the opposite order. */
  public ScanOptions reverse() {
    return new ScanOptions(given, prefixed, !forward, fillCache, limit);
  }

  /** These options, but pages read from disk do not stay in the buffer cache. */
  public ScanOptions withoutCacheFill() {
    return new ScanOptions(given, prefixed, forward, false, limit);
  }

  /**
   * These options, but at most so many entries. Give the number if you know it: a scan reads a
   * little ahead, and with a limit it never reads more than it will show.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ScanOptions limit(long entries) {
    if (entries < 0) {
      throw new IllegalArgumentException("limit is " + entries + ", must not be negative");
    }
    return new ScanOptions(given, prefixed, forward, fillCache, entries);
  }

  private static byte[] copy(byte[] bound, String name) {
    return Arguments.require(bound, name).clone();
  }

  int longestBoundBytes() {
    return Math.max(given.longestBytes(), prefixed.longestBytes());
  }

  TreeScan.Range range() {
    Bounds keys = prefixed.and(given);
    return new TreeScan.Range(keys.from, keys.to, forward, ReadIntent.query(fillCache), limit);
  }
}
