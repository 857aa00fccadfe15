package org.loam.it.history;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.loam.it.Digits;

/** Keys and values: which key a slot has, and which value after a write. */
abstract class Content {
  private static final int DIGITS = 3;

  final History history;

  Content(History history) {
    this.history = history;
  }

  /** The value of a slot after a write that did not delete it. */
  abstract byte[] value(int slot, long number);

  /** The number of the write that a value names. */
  abstract long number(byte[] value);

  /** What a slot is, for messages. */
  String name(int slot) {
    return "key " + text(slot);
  }

  /** The number of the write that a slot shows, 0 if it is absent; the value must be the whole. */
  long shown(int slot, byte @Nullable [] value) {
    if (value == null) {
      return 0;
    }
    long number = number(value);
    if (!Arrays.equals(value, value(slot, number))) {
      throw new HistoryError(
          name(slot) + ", write " + number + ": another value, " + Arrays.toString(value),
          history,
          history.group(slot));
    }
    return number;
  }

  /** A key; keys are in the order of their numbers. */
  static byte[] key(int id) {
    return text(id).getBytes(US_ASCII);
  }

  static String text(int id) {
    return digits(id) + "x".repeat(id * 7 % 23);
  }

  /** Before the key of this number, and after the one before it. */
  static byte[] bound(int id) {
    return digits(id).getBytes(US_ASCII);
  }

  private static String digits(int id) {
    return Digits.of(id, DIGITS);
  }

  /** The number of a key. */
  static int id(byte[] key) {
    int id = Integer.parseInt(new String(key, 0, DIGITS, US_ASCII));
    if (!Arrays.equals(key, key(id))) {
      throw new HistoryError("key " + new String(key, US_ASCII) + " was never written");
    }
    return id;
  }
}
