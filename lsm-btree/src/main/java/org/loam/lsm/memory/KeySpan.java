package org.loam.lsm.memory;

import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The keys from a low one on, up to before an end. Immutable.
 *
 * @param low the first key; null if there is none
 * @param end the key after the last; null if there is none. Not to be changed, like the low one
 */
@SuppressWarnings("ArrayRecordComponent") // spans are not compared with equals
public record KeySpan(byte @Nullable [] low, byte @Nullable [] end) {
  /** All keys. */
  public static final KeySpan ALL = new KeySpan(null, null);

  /** In the order of their first keys. */
  public static final Comparator<KeySpan> BY_LOW =
      Comparator.comparing(KeySpan::low, Comparator.nullsFirst(Arrays::compareUnsigned));

  /** The keys between two keys, both counted. */
  public static KeySpan closed(byte[] first, byte[] last) {
    // The key after one is the same with a zero byte behind it.
    return new KeySpan(first, Arrays.copyOf(last, last.length + 1));
  }

  /** The keys of a range. */
  public static KeySpan of(RangeBounds bounds, int range) {
    return new KeySpan(
        range == 0 ? null : bounds.low(range),
        range + 1 == bounds.ranges() ? null : bounds.low(range + 1));
  }

  /** Whether it ends before another one begins. */
  public boolean isBelow(KeySpan other) {
    return end != null && other.low != null && Arrays.compareUnsigned(end, other.low) <= 0;
  }

  /** Whether it has a key in common with another one. */
  public boolean overlaps(KeySpan other) {
    return !isBelow(other) && !other.isBelow(this);
  }

  /** From the lower low to the higher end of both. */
  public KeySpan hull(KeySpan other) {
    return new KeySpan(
        low == null || other.low == null ? null : isBelow(low, other.low) ? low : other.low,
        end == null || other.end == null ? null : isBelow(end, other.end) ? other.end : end);
  }

  private static boolean isBelow(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b) < 0;
  }

  /** The same from a key on. */
  public KeySpan from(byte[] key) {
    return new KeySpan(key, end);
  }
}
