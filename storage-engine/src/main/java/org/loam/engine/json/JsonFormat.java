package org.loam.engine.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.Arguments;
import org.loam.common.key.KeyBuilder;
import org.loam.common.key.Missing;

/** Records as bytes of JSON, and their values as parts of keys. Pure functions. */
final class JsonFormat {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final ObjectReader READER = MAPPER.readerFor(JsonNode.class);

  private static final ObjectReader EXACT_READER =
      READER.with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private static final List<RoundingMode> NEAREST_FIRST =
      List.of(RoundingMode.HALF_EVEN, RoundingMode.DOWN, RoundingMode.UP);

  /** One object, so that a record is parsed once for all indexes. */
  static final Function<byte[], ObjectNode> PARSER = JsonFormat::parse;

  private JsonFormat() {}

  /**
   * Reads a record that is to be written.
   *
   * @throws IllegalArgumentException if it is not an object in JSON, in UTF-8
   */
  static ObjectNode parseNew(byte[] json) {
    Utf8.require(Arguments.require(json, "record"));
    return parse(json);
  }

  /**
   * Reads a record that there is.
   *
   * @throws IllegalArgumentException if it is not an object in JSON, saying where it is not
   */
  static ObjectNode parse(byte[] json) {
    JsonNode node = read(json, READER);
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalArgumentException(
        "a record must be a JSON object, not " + (node == null ? "nothing" : typeOf(node)));
  }

  /**
   * The number at a path that leads to one, with all of its digits. {@link #parse} rounds it to a
   * double, which is faster, and most records have no such number in their key.
   *
   * @throws IllegalArgumentException if its exponent is beyond those of a {@link BigDecimal}
   */
  static JsonNode exactly(byte[] json, JsonPath path) {
    try {
      return read(json, EXACT_READER.at(path.pointer()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "there is a number whose exponent has more than 32 bits, must be one that a double"
              + " stands for",
          e);
    }
  }

  private static JsonNode read(byte[] json, ObjectReader reader) {
    try {
      return reader.readValue(Arguments.require(json, "record"));
    } catch (JsonProcessingException e) {
      String said = String.valueOf(e.getOriginalMessage());
      // What else is said of that names things of the parser.
      String why = said.startsWith("Unexpected end-of-input") ? "it ends too early" : said;
      throw new IllegalArgumentException("malformed JSON" + place(e) + ": " + why, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Where it is malformed; of no bytes at all, or of too many levels, the parser names no place.
   */
  private static String place(JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    return at == null ? "" : " at byte " + Math.max(0, at.getByteOffset());
  }

  static byte[] write(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Adds a value to a key.
   *
   * @throws IllegalArgumentException if it is none that keys can have: an object, an array, an
   *     integer of more than 64 bits, a decimal that is not one of its double
   */
  static void add(KeyBuilder key, JsonNode value) {
    switch (value.getNodeType()) {
      case MISSING -> key.addMissing();
      case NULL -> key.addNull();
      case BOOLEAN -> key.add(value.booleanValue());
      case STRING -> key.add(value.textValue());
      case NUMBER -> addNumber(key, value);
      default ->
          throw new IllegalArgumentException(
              "there is " + typeOf(value) + ", must be a text, a number, true, false or null");
    }
  }

  private static void addNumber(KeyBuilder key, JsonNode value) {
    if (!value.isIntegralNumber()) {
      double number = value.doubleValue();
      if (Double.isInfinite(number)) {
        throw new IllegalArgumentException(
            "there is a number beyond " + Double.MAX_VALUE + ", must be within it");
      }
      if (value.isBigDecimal()) {
        requireExact(value.decimalValue(), number);
      }
      key.add(number);
    } else if (value.canConvertToLong()) {
      key.add(value.longValue());
    } else {
      throw new IllegalArgumentException(
          "there is the integer " + value.asText() + ", must have at most 64 bits");
    }
  }

  /**
   * Decimals that have a double in common are the same key, so a decimal that is only near to its
   * double is refused: its record would take the place of another one. The decimal that Java writes
   * for the double and the one that most other programs write may both be in a key, since either of
   * them comes from a program that has the double.
   */
  private static void requireExact(BigDecimal decimal, double number) {
    if (decimal.compareTo(new BigDecimal(Double.toString(number))) == 0) {
      return;
    }
    BigDecimal shortest = shortest(number);
    if (decimal.compareTo(shortest) != 0) {
      throw new IllegalArgumentException(
          "there is the number "
              + decimal
              + ", must be one that a double stands for, such as "
              + shortest);
    }
  }

  /**
   * Of the decimals that have a double in common, the nearest one of the fewest digits. The nearest
   * one of all of so many digits may be another double's: below a power of two, doubles are denser.
   */
  private static BigDecimal shortest(double number) {
    BigDecimal exact = new BigDecimal(number);
    for (int digits = 1; ; digits++) {
      for (RoundingMode rounding : NEAREST_FIRST) {
        BigDecimal rounded = exact.round(new MathContext(digits, rounding));
        if (rounded.doubleValue() == number) {
          return rounded;
        }
      }
    }
  }

  /** Adds a field of what {@link #add} made part of a key; none for a missing value. */
  static void addTo(ObjectNode target, String name, @Nullable Object part) {
    if (part == null) {
      target.putNull(name);
    } else if (part instanceof Boolean flag) {
      target.put(name, flag);
    } else if (part instanceof Long number) {
      target.put(name, number);
    } else if (part instanceof Double number) {
      target.put(name, number);
    } else if (part instanceof String text) {
      target.put(name, text);
    } else if (part != Missing.MISSING) {
      throw new AssertionError("JSON has no " + part.getClass());
    }
  }

  /** What a value is, with its article. */
  static String typeOf(JsonNode node) {
    return switch (node.getNodeType()) {
      case ARRAY -> "an array";
      case OBJECT -> "an object";
      case STRING -> "a text";
      case MISSING -> "nothing";
      case NULL -> "null";
      default -> node.getNodeType().name().toLowerCase(Locale.ROOT) + " " + node;
    };
  }
}
