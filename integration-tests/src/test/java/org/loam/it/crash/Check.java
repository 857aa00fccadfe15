package org.loam.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Cursor;

/** Comparisons whose failures say what was found; cheaper than general ones, as there are many. */
final class Check {
  private Check() {}

  static void that(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  static void same(String what, byte @Nullable [] found, byte @Nullable [] expected) {
    if (!Arrays.equals(found, expected)) {
      throw unlike(what, found, expected);
    }
  }

  private static AssertionError unlike(
      String what, byte @Nullable [] found, byte @Nullable [] expected) {
    return new AssertionError(what + ": " + show(found) + ", expected " + show(expected));
  }

  /** A cursor that was not moved yet gives exactly these entries. */
  static void entries(String what, Cursor cursor, Map<String, byte[]> expected) {
    for (Map.Entry<String, byte[]> entry : expected.entrySet()) {
      if (!cursor.next()) {
        throw new AssertionError(what + ": ends before " + entry.getKey());
      }
      if (!Arrays.equals(cursor.key(), entry.getKey().getBytes(UTF_8))) {
        String key = new String(cursor.key(), UTF_8);
        throw new AssertionError(what + ": " + key + ", expected " + entry.getKey());
      }
      if (!Arrays.equals(cursor.value(), entry.getValue())) {
        throw unlike(what + " " + entry.getKey(), cursor.value(), entry.getValue());
      }
    }
    if (cursor.next()) {
      throw new AssertionError(
          what + ": " + new String(cursor.key(), UTF_8) + " must not be there");
    }
  }

  private static String show(byte @Nullable [] value) {
    return value == null ? "absent" : value.length + " bytes, hash " + Arrays.hashCode(value);
  }
}
