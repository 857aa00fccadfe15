package org.loam.workbench.database;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.loam.engine.json.JsonPath;
import org.loam.workbench.console.Json;

/** Records and values as text, and back; numbers keep all of their digits. Pure functions. */
final class JsonText {
  static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final JsonMapper MAPPER = Json.exact();

  /** Numbers as JSON has them; longer ones no JSON parser takes. */
  private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9]\\d{0,999})");

  private static final Pattern DECIMAL =
      Pattern.compile("-?(0|[1-9]\\d{0,499})(\\.\\d{1,480})?([eE][+-]?\\d{1,6})?");

  private JsonText() {}

  /** A record that the database has, to be shown: its numbers are as they were written. */
  static JsonNode parse(byte[] record) {
    try (JsonParser parser = MAPPER.createParser(record)) {
      parser.nextToken();
      return node(parser);
    } catch (IOException e) {
      throw new UncheckedIOException("a record that is not JSON", e);
    }
  }

  private static JsonNode node(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> NODES.textNode(parser.getText());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      // In JSON, a number may have an exponent that no number of Java has.
      default -> NODES.rawValueNode(new RawValue(parser.getText()));
    };
  }

  private static JsonNode object(JsonParser parser) throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      object.set(name, node(parser));
    }
    return object;
  }

  private static JsonNode array(JsonParser parser) throws IOException {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(node(parser));
    }
    return array;
  }

  static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new AssertionError("JSON that cannot be written", e);
    }
  }

  static String line(JsonNode node) {
    try {
      return MAPPER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new AssertionError("JSON that cannot be written", e);
    }
  }

  /** A number, true, false or null, if the text is one as JSON has it; else the text. */
  static JsonNode scalar(String text) {
    return switch (text) {
      case "true" -> NODES.booleanNode(true);
      case "false" -> NODES.booleanNode(false);
      case "null" -> NODES.nullNode();
      default -> number(text);
    };
  }

  private static JsonNode number(String text) {
    char first = text.isEmpty() ? ' ' : text.charAt(0);
    if (first != '-' && (first < '0' || first > '9')) {
      return NODES.textNode(text);
    }
    if (INTEGER.matcher(text).matches()) {
      // 18 digits are a long for certain.
      return text.length() <= 18
          ? NODES.numberNode(Long.parseLong(text))
          : NODES.numberNode(new BigInteger(text));
    }
    return DECIMAL.matcher(text).matches()
        ? NODES.numberNode(new BigDecimal(text))
        : NODES.textNode(text);
  }

  /** A scalar, or a text in double quotes as JSON has it; else the text. */
  static JsonNode scalarOrQuoted(String text) {
    if (!text.startsWith("\"")) {
      return scalar(text);
    }
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      return NODES.textNode(text);
    }
  }

  /**
   * What a record has at a path: a missing node for nothing, an array for a path with {@code []}.
   */
  static JsonNode at(JsonPath path, JsonNode record) {
    List<JsonNode> found = new ArrayList<>(1);
    try {
      path.forEach(record, found::add);
    } catch (IllegalArgumentException e) {
      // No array where the path wants one: nothing to show of this record.
      return MissingNode.getInstance();
    }
    if (!path.isMultiValued()) {
      return found.get(0);
    }
    return NODES.arrayNode().addAll(found.stream().filter(node -> !node.isMissingNode()).toList());
  }
}
