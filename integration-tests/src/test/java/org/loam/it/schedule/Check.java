package org.loam.it.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.loam.engine.Cursor;

/** What every schedule has to hold to. */
final class Check {
  private Check() {}

  static void that(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  /** A scan of all keys, ascending: each once, in order, between acknowledged and begun. */
  static void scan(String what, Cursor cursor, OwnedKeys keys, int[] least) {
    int[] left = least.clone();
    byte[] last = null;
    while (cursor.next()) {
      byte[] key = cursor.key();
      that(
          last == null || Arrays.compareUnsigned(last, key) < 0,
          what + " shows keys out of order: " + show(key));
      last = key;
      int number = OwnedKeys.number(key);
      keys.check(what, number, cursor.value(), least[number]);
      left[number] = 0;
    }
    for (int number = 0; number < left.length; number++) {
      that(left[number] == 0, what + " lacks key " + number + ", acknowledged before it");
    }
  }

  private static String show(byte[] key) {
    return key.length == 1 ? Integer.toHexString(key[0] & 0xff) : new String(key, UTF_8);
  }
}
