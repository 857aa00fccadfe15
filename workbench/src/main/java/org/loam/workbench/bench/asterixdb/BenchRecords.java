package org.loam.workbench.bench.asterixdb;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.loam.workbench.workload.Keys;

/**
 * Records of {@value #LINE_BYTES} bytes of JSON that follow from their ids. So an answer can be
 * checked without a copy of the records. Immutable.
 */
final class BenchRecords {
  static final int LINE_BYTES = 1000;

  /** Records that share a part. */
  static final int PART_RECORDS = 100;

  static final int MAX_COUNT = 10_000_000;

  /** Primes above all counts, so that multiples of them meet every id once. */
  private static final long ID_STEP = 15_485_863;

  private static final long PART_STEP = 32_452_843;

  private static final int TEXT_CHARS = 1 << 20;
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  /** Snappy halves texts of so many words. */
  private static final int WORDS = 1000;

  private final int count;
  private final boolean compressible;
  private final String text;

  /**
   * So many records.
   *
   * @param count a multiple of 100, so that all parts are alike
   * @param compressible whether their texts are of words; else they do not compress
   */
  BenchRecords(int count, boolean compressible) {
    if (count < 1000 || count > MAX_COUNT || count % PART_RECORDS != 0) {
      throw new IllegalArgumentException(
          "records = "
              + count
              + ", rule: a multiple of "
              + PART_RECORDS
              + " from 1000 to "
              + MAX_COUNT);
    }
    this.count = count;
    this.compressible = compressible;
    SplittableRandom random = new SplittableRandom(count);
    this.text = compressible ? words(random) : chars(random, TEXT_CHARS);
  }

  private static String chars(SplittableRandom random, int length) {
    StringBuilder chars = new StringBuilder(length);
    while (chars.length() < length) {
      chars.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return chars.toString();
  }

  private static String words(SplittableRandom random) {
    List<String> words = new ArrayList<>();
    while (words.size() < WORDS) {
      words.add(chars(random, random.nextInt(2, 12)));
    }
    StringBuilder text = new StringBuilder(TEXT_CHARS);
    while (text.length() < TEXT_CHARS) {
      text.append(words.get(random.nextInt(WORDS))).append(' ');
    }
    return text.substring(0, TEXT_CHARS);
  }

  /** So many at most, of the same kind. */
  BenchRecords first(int most) {
    return new BenchRecords(Math.min(most, count), compressible);
  }

  int count() {
    return count;
  }

  boolean isCompressible() {
    return compressible;
  }

  /** The id of the record that is sent as number {@code index}: all ids, in no order. */
  long id(int index) {
    return index * ID_STEP % count;
  }

  /** The value for an index in which {@link #PART_RECORDS} records share each value. */
  long part(long id) {
    return id * PART_STEP % count / PART_RECORDS;
  }

  /** How many parts there are. */
  int parts() {
    return count / PART_RECORDS;
  }

  /** The value for an index of unique values. */
  long mark(long id) {
    return Keys.identity(id);
  }

  /** The record as a line, with its end. */
  byte[] line(long id) {
    String head = head(id);
    int from = textFrom(id);
    return (head + text.substring(from, from + textChars(head)) + "\"}\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private String head(long id) {
    return "{\"id\":" + id + ",\"part\":" + part(id) + ",\"mark\":" + mark(id) + ",\"text\":\"";
  }

  private int textFrom(long id) {
    return (int) Math.floorMod(mark(id), (long) (TEXT_CHARS - LINE_BYTES));
  }

  private static int textChars(String head) {
    return LINE_BYTES - head.length() - "\"}".length();
  }

  /** Whether a row is one of these records. */
  boolean isRight(JsonNode row) {
    long id = row.path("id").asLong(-1);
    if (id < 0 || id >= count) {
      return false;
    }
    String found = row.path("text").asText();
    return row.size() == 4
        && row.path("part").asLong(-1) == part(id)
        && row.path("mark").asLong() == mark(id)
        && found.length() == textChars(head(id))
        && text.startsWith(found, textFrom(id));
  }
}
