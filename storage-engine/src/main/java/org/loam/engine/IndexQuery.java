package org.loam.engine;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.Arguments;
import org.loam.common.key.KeyBuilder;
import org.loam.common.key.Keys;

/**
 * Which entries of an index a query shows, and in which order. Immutable. Keys are those that
 * {@link KeyBuilder} makes, with the directions of the index; the first parts of a composite key
 * will do: they stand for all keys that begin with them.
 *
 * <pre>{@code
 * // Orders from Norway, the newest 10 first; the index has country and date.
 * IndexQuery.equal(new KeyBuilder().add("NO").toBytes()).reverse().limit(10)
 * }</pre>
 */
public final class IndexQuery {
  /** After every key. */
  private static final byte[] NOTHING = {(byte) 0xff};

  private static final IndexQuery ALL = new IndexQuery(null, null, null, true, Long.MAX_VALUE);

  /** The key that {@link #equal} was given. A bound that is given later does not widen it. */
  private final byte @Nullable [] equal;

  private final byte @Nullable [] from;
  private final byte @Nullable [] to;
  private final boolean forward;
  private final long limit;

  private IndexQuery(
      byte @Nullable [] equal,
      byte @Nullable [] from,
      byte @Nullable [] to,
      boolean forward,
      long limit) {
    this.equal = equal;
    this.from = from;
    this.to = to;
    this.forward = forward;
    this.limit = limit;
  }

  /** All entries, ascending. */
  public static IndexQuery all() {
    return ALL;
  }

  /** Entries whose key is this one, or begins with it. Bounds that follow hold within these. */
  public static IndexQuery equal(byte[] key) {
    byte[] equal = Arguments.require(key, "equal").clone();
    return new IndexQuery(equal, null, null, true, Long.MAX_VALUE);
  }

  /** This query, but keys from this one on, itself included. */
  public IndexQuery from(byte[] key) {
    return new IndexQuery(equal, Arguments.require(key, "from").clone(), to, forward, limit);
  }

  /** This query, but keys after this one only. */
  public IndexQuery after(byte[] key) {
    byte[] end = Keys.afterPrefix(Arguments.require(key, "after"));
    // No part begins with 0xff, so only the empty key has no end; it stands for all.
    return new IndexQuery(equal, end == null ? NOTHING : end, to, forward, limit);
  }

  /** This query, but keys before this one only. */
  public IndexQuery before(byte[] key) {
    return new IndexQuery(equal, from, Arguments.require(key, "before").clone(), forward, limit);
  }

  /** This query, but keys up to this one, itself included. */
  public IndexQuery through(byte[] key) {
    return new IndexQuery(
        equal, from, Keys.afterPrefix(Arguments.require(key, "through")), forward, limit);
  }

  /** This query, but in the opposite order. */
  public IndexQuery reverse() {
    return new IndexQuery(equal, from, to, !forward, limit);
  }

  /**
   * This query, but at most so many records. Give the number if you know it: records are fetched in
   * batches, and the last batch then has no more than are shown.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public IndexQuery limit(long records) {
    if (records < 0) {
      throw new IllegalArgumentException("limit is " + records + ", must not be negative");
    }
    return new IndexQuery(equal, from, to, forward, records);
  }

  long limit() {
    return limit;
  }

  /** The scan of the index's tree. */
  ScanOptions scan() {
    ScanOptions scan = ScanOptions.all();
    if (equal != null) {
      scan = scan.prefix(equal);
    }
    if (from != null) {
      scan = scan.from(from);
    }
    if (to != null) {
      scan = scan.to(to);
    }
    if (!forward) {
      scan = scan.reverse();
    }
    return limit == Long.MAX_VALUE ? scan : scan.limit(limit);
  }
}
