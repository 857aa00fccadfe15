package org.loam.asterix.key;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.loam.common.key.Keys;

/**
 * The bounds of a scan, made from the low and the high key of a search. Such a key may have only
 * the first fields of the index, and then stands for all tuples that begin with them: they are all
 * within an inclusive bound, and all outside of an exclusive one. Pure functions.
 */
public final class AdmBounds {
  /** After every key. */
  private static final byte[] NOTHING = {(byte) 0xff};

  private AdmBounds() {}

  /** The key from which the scan begins, itself included; may be {@code lowKey} itself. */
  public static byte[] from(byte[] lowKey, boolean inclusive) {
    if (inclusive) {
      return lowKey;
    }
    byte[] after = Keys.afterPrefix(lowKey);
    // No part begins with 0xff, so only a key without fields has none after it: all begin with it.
    return after == null ? NOTHING.clone() : after;
  }

  /**
   * The bound of a scan that parts keys of a limited length as a given bound does; may be that one.
   * A key that is no longer than the limit is below a longer bound just if it is below or equal to
   * what the bound begins with.
   */
  public static byte[] within(int maxKeyBytes, byte[] bound) {
    if (bound.length <= maxKeyBytes) {
      return bound;
    }
    byte[] after = Keys.afterPrefix(Arrays.copyOf(bound, maxKeyBytes));
    // No part begins with 0xff.
    return after == null ? NOTHING.clone() : after;
  }

  /**
   * The key before which the scan ends; may be {@code highKey} itself.
   *
   * @return null if it ends with the last key, for an inclusive key without fields
   */
  public static byte @Nullable [] to(byte[] highKey, boolean inclusive) {
    return inclusive ? Keys.afterPrefix(highKey) : highKey;
  }
}
