package org.loam.it.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A record. What is null is missing.
 *
 * @param labels any number, one of them perhaps twice
 * @param filling bytes that no index looks at
 */
public record Order(
    @Nullable String country,
    @Nullable Long amount,
    List<String> labels,
    @Nullable Double rating,
    byte[] filling) {
  /** How records are to be understood. */
  public static final String RULE = "order;v1";

  /** Some begin with others; the empty one and one with a zero byte are among them. */
  private static final List<String> COUNTRIES =
      List.of("NO", "N", "NOR", "", "SE", "N\0O", "\u00c5land");

  private static final List<String> LABELS = List.of("red", "big", "new", "re", "old");

  /** A record of which nothing but the amount counts. */
  public static Order ofAmount(long amount) {
    return new Order(null, amount, List.of(), null, new byte[0]);
  }

  /** Any record. */
  public static Order random(RandomGenerator random, int fillingBytes) {
    String country = random.nextInt(4) == 0 ? null : anyCountry(random);
    Long amount = random.nextInt(5) == 0 ? null : anyAmount(random);
    List<String> labels = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      labels.add(anyLabel(random));
    }
    Double rating = random.nextInt(8) == 0 ? anyRating(random) : null;
    byte[] filling = new byte[fillingBytes];
    random.nextBytes(filling);
    return new Order(country, amount, labels, rating, filling);
  }

  static String anyCountry(RandomGenerator random) {
    return COUNTRIES.get(random.nextInt(COUNTRIES.size()));
  }

  /** Mostly a small number that many records have. */
  static Long anyAmount(RandomGenerator random) {
    return random.nextInt(20) == 0 ? random.nextLong() : random.nextLong(12) - 4;
  }

  static String anyLabel(RandomGenerator random) {
    return LABELS.get(random.nextInt(LABELS.size()));
  }

  static Double anyRating(RandomGenerator random) {
    return random.nextInt(9) / 2.0 - 1;
  }

  /** The record as a dataset keeps it. */
  public byte[] encode() {
    byte[] nation = country == null ? new byte[0] : country.getBytes(UTF_8);
    byte[] words = String.join(",", labels).getBytes(UTF_8);
    ByteBuffer out = ByteBuffer.allocate(21 + nation.length + words.length + filling.length);
    out.put((byte) (bit(country, 1) | bit(amount, 2) | bit(rating, 4)));
    out.putShort((short) nation.length).put(nation);
    out.putLong(amount == null ? 0 : amount);
    out.putShort((short) words.length).put(words);
    out.putDouble(rating == null ? 0 : rating);
    return out.put(filling).array();
  }

  private static int bit(@Nullable Object value, int bit) {
    return value == null ? 0 : bit;
  }

  /** Reads what {@link #encode} made. */
  public static Order decode(byte[] record) {
    ByteBuffer in = ByteBuffer.wrap(record);
    int there = in.get();
    String country = text(in);
    long amount = in.getLong();
    String words = text(in);
    double rating = in.getDouble();
    byte[] filling = new byte[in.remaining()];
    in.get(filling);
    return new Order(
        (there & 1) == 0 ? null : country,
        (there & 2) == 0 ? null : (Long) amount,
        words.isEmpty() ? List.of() : List.of(words.split(",")),
        (there & 4) == 0 ? null : (Double) rating,
        filling);
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[in.getShort()];
    in.get(bytes);
    return new String(bytes, UTF_8);
  }
}
