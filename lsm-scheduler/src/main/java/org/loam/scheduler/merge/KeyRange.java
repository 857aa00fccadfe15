package org.loam.scheduler.merge;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Keys from {@code min} to {@code max}, both included, compared as unsigned bytes. Immutable; the
 * arrays are shared, not copied, and must not be changed.
 */
public final class KeyRange {
  private final byte[] min;
  private final byte[] max;

  /**
   * Makes a range.
   *
   * @throws IllegalArgumentException if {@code min} comes after {@code max}
   */
  public KeyRange(byte[] min, byte[] max) {
    if (Arrays.compareUnsigned(min, max) > 0) {
      HexFormat hex = HexFormat.of();
      throw new IllegalArgumentException(
          "min key " + hex.formatHex(min) + " must not come after max key " + hex.formatHex(max));
    }
    this.min = min;
    this.max = max;
  }

  /** The smallest key; not to be changed. */
  public byte[] min() {
    return min;
  }

  /** The largest key; not to be changed. */
  public byte[] max() {
    return max;
  }

  /** Whether some key could be in both. */
  public boolean overlaps(KeyRange other) {
    return Arrays.compareUnsigned(min, other.max) <= 0
        && Arrays.compareUnsigned(other.min, max) <= 0;
  }

  /** Whether every key of this range comes before every key of the other. */
  public boolean isBefore(KeyRange other) {
    return Arrays.compareUnsigned(max, other.min) < 0;
  }

  /** The smallest range that holds both. */
  public KeyRange hull(KeyRange other) {
    boolean minIsMine = Arrays.compareUnsigned(min, other.min) <= 0;
    boolean maxIsMine = Arrays.compareUnsigned(max, other.max) >= 0;
    if (minIsMine && maxIsMine) {
      return this;
    }
    return new KeyRange(minIsMine ? min : other.min, maxIsMine ? max : other.max);
  }

  /** The keys that are in both ranges, which overlap. */
  public KeyRange intersection(KeyRange other) {
    boolean minIsMine = Arrays.compareUnsigned(min, other.min) >= 0;
    boolean maxIsMine = Arrays.compareUnsigned(max, other.max) <= 0;
    return new KeyRange(minIsMine ? min : other.min, maxIsMine ? max : other.max);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof KeyRange other
        && Arrays.equals(min, other.min)
        && Arrays.equals(max, other.max);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(min) + Arrays.hashCode(max);
  }

  /** Both keys in hexadecimal. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "[" + hex.formatHex(min) + ".." + hex.formatHex(max) + "]";
  }
}
