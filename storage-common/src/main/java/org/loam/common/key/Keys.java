package org.loam.common.key;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.CorruptionException;

/** What can be said of keys as a whole. Pure functions. */
public final class Keys {
  private Keys() {}

  /**
   * The end of the range of keys that begin with {@code prefix}: the smallest key after them.
   *
   * @return a new array, or null if the range has no end because all bytes are 0xff or there are
   *     none
   */
  public static byte @Nullable [] afterPrefix(byte[] prefix) {
    for (int length = prefix.length; length > 0; length--) {
      if (prefix[length - 1] != (byte) 0xff) {
        byte[] after = Arrays.copyOf(prefix, length);
        after[length - 1]++;
        return after;
      }
    }
    return null;
  }

  /**
   * A key in text for people: {@code [null, 12, "abc" desc, 2020-01-01T00:00:00Z, 0x0aff, raw
   * 0x6b657939 'key9']}. Any bytes have one. From the first that are no part on, they are {@code
   * raw}, in ASCII too if there is any; raw bytes that happen to look like a part are shown as one.
   */
  public static String describe(byte[] key) {
    StringBuilder text = new StringBuilder("[");
    KeyReader reader = new KeyReader(key);
    String separator = "";
    while (reader.hasNext()) {
      int position = reader.position();
      Direction direction = key[position] < 0 ? Direction.DESCENDING : Direction.ASCENDING;
      text.append(separator);
      separator = ", ";
      try {
        appendValue(text, reader.next(direction));
      } catch (CorruptionException e) {
        appendHex(text.append("raw "), key, position);
        appendAscii(text, key, position);
        break;
      }
      text.append(direction == Direction.DESCENDING ? " desc" : "");
    }
    return text.append(']').toString();
  }

  private static void appendValue(StringBuilder text, @Nullable Object value) {
    if (value == Missing.MISSING) {
      text.append("missing");
    } else if (value instanceof String string) {
      appendQuoted(text, string);
    } else if (value instanceof byte[] bytes) {
      appendHex(text, bytes, 0);
    } else {
      text.append(value);
    }
  }

  private static void appendQuoted(StringBuilder text, String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (Character.isISOControl(c)) {
        text.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        text.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    text.append('"');
  }

  /** Bytes that are no printable characters are dots; nothing if all of them are. */
  private static void appendAscii(StringBuilder text, byte[] bytes, int from) {
    StringBuilder ascii = new StringBuilder();
    boolean any = false;
    for (int i = from; i < bytes.length; i++) {
      boolean printable = bytes[i] >= ' ' && bytes[i] <= '~';
      ascii.append(printable ? (char) bytes[i] : '.');
      any |= printable;
    }
    if (any) {
      text.append(" '").append(ascii).append('\'');
    }
  }

  private static void appendHex(StringBuilder text, byte[] bytes, int from) {
    text.append("0x").append(HexFormat.of().formatHex(bytes, from, bytes.length));
  }
}
