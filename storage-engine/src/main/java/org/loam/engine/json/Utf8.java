package org.loam.engine.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The encoding of a record. The parser of JSON also takes UTF-16, UTF-32 and what only resembles
 * UTF-8, such as surrogates; readers of a record's bytes would see another text. Pure functions.
 */
final class Utf8 {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  /** In UTF-16 and UTF-32, one of so many bytes at the beginning of JSON is 0. */
  private static final int TELLING_BYTES = 4;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final int MAX_CHARS = 4096;

  private Utf8() {}

  /**
   * Passes bytes that the parser of JSON takes for UTF-8, and that are.
   *
   * @throws IllegalArgumentException if they are not, saying where
   */
  static void require(byte[] json) {
    int marked = Math.min(BYTE_ORDER_MARK.length, json.length);
    if (Arrays.equals(json, 0, marked, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length)) {
      throw new IllegalArgumentException(
          "the record begins with a byte order mark, must be UTF-8 without; leave it out");
    }
    for (int i = 0; i < Math.min(TELLING_BYTES, json.length); i++) {
      if (json[i] == 0) {
        throw new IllegalArgumentException(
            "one of the first "
                + TELLING_BYTES
                + " bytes is 0, as in UTF-16 and UTF-32; convert the record to UTF-8");
      }
    }
    if (!isAscii(json)) {
      requireDecodable(json);
    }
  }

  /** As most records are: an eighth of the steps. */
  private static boolean isAscii(byte[] bytes) {
    int i = 0;
    for (; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
      if (((long) LONGS.get(bytes, i) & HIGH_BITS) != 0) {
        return false;
      }
    }
    for (; i < bytes.length; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }

  private static void requireDecodable(byte[] json) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(json);
    CharBuffer out = CharBuffer.allocate(Math.min(json.length, MAX_CHARS));
    CoderResult result;
    do {
      result = decoder.decode(in, out.clear(), true);
    } while (result.isOverflow());
    if (result.isError()) {
      throw new IllegalArgumentException(
          "the record is not UTF-8 at byte " + in.position() + "; convert it to UTF-8");
    }
  }
}
