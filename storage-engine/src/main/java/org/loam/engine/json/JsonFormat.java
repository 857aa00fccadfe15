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

  /** One object, so that a record is parsed once for all indexes. */
  static final Function<byte[], ObjectNode> PARSER = JsonFormat::parse;

  private JsonFormat() {}

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException if it is not an object in JSON, saying where it is not
   */
  static ObjectNode parse(byte[] json) {
    JsonNode node;
    Arguments.require(json, "record");
    try {
      node = READER.readValue(json);
    } catch (JsonProcessingException e) {
      String said = String.valueOf(e.getOriginalMessage());
      // What else is said of that names things of the parser.
      String why = said.startsWith("Unexpected end-of-input") ? "it ends too early" : said;
      throw new IllegalArgumentException("malformed JSON" + place(e) + ": " + why, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalArgumentException(
        "a record must be a JSON object, not " + (node == null ? "nothing" : typeOf(node)));
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
   *     integer of more than 64 bits, a number that no double comes near
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
      key.add(number);
    } else if (value.canConvertToLong()) {
      key.add(value.longValue());
    } else {
      throw new IllegalArgumentException(
          "there is the integer " + value.asText() + ", must have at most 64 bits");
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
