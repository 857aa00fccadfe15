package org.loam.engine;

import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.error.Arguments;
import org.loam.common.key.Keys;
import org.loam.lsm.TreeScan;

/** Which keys a scan shows, and in which order. Immutable; keys are compared as unsigned bytes. */
public final class ScanOptions {
  private static final ScanOptions ALL = new ScanOptions(null, null, true, true, Long.MAX_VALUE);

  private final byte @Nullable [] from;
  private final byte @Nullable [] to;
  private final boolean forward;
  private final boolean fillCache;
  private final long limit;

  private ScanOptions(
      byte @Nullable [] from,
      byte @Nullable [] to,
      boolean forward,
      boolean fillCache,
      long limit) {
    this.from = from;
    this.to = to;
    this.forward = forward;
    this.fillCache = fillCache;
    this.limit = limit;
  }

  /** All keys, ascending. */
  public static ScanOptions all() {
    return ALL;
  }

  /** These options, but keys from {@code key} on. */
  public ScanOptions from(byte[] key) {
    return new ScanOptions(copy(key, "from"), to, forward, fillCache, limit);
  }

  /** These options, but only keys before {@code key}. */
  public ScanOptions to(byte[] key) {
    return new ScanOptions(from, copy(key, "to"), forward, fillCache, limit);
  }

  /** These options, but only keys that begin with {@code prefix}. */
  public ScanOptions prefix(byte[] prefix) {
    return new ScanOptions(
        copy(prefix, "prefix"), Keys.afterPrefix(prefix), forward, fillCache, limit);
  }

  /** These options, but in the opposite order. */
  public ScanOptions reverse() {
    return new ScanOptions(from, to, !forward, fillCache, limit);
  }

  /** These options, but pages read from disk do not stay in the buffer cache. */
  public ScanOptions withoutCacheFill() {
    return new ScanOptions(from, to, forward, false, limit);
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
    return new ScanOptions(from, to, forward, fillCache, entries);
  }

  private static byte[] copy(byte[] bound, String name) {
    return Arguments.require(bound, name).clone();
  }

  int longestBoundBytes() {
    return Math.max(from == null ? 0 : from.length, to == null ? 0 : to.length);
  }

  TreeScan.Range range() {
    return new TreeScan.Range(from, to, forward, ReadIntent.query(fillCache), limit);
  }
}
