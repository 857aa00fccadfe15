package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.loam.workbench.console.Json;

/**
 * What the query service says about one statement: rows, which are handed on as they come, and how
 * it ended.
 *
 * @param status {@code success} if nothing went wrong
 * @param error AsterixDB's first message; empty if it gave none
 * @param warnings what has no effect, or another than it may seem
 */
record Answer(String status, String error, List<String> warnings) {
  private static final ObjectReader ROWS = reader();

  /** A record may be one text, and as long as AsterixDB lets it be. */
  private static ObjectReader reader() {
    JsonMapper mapper = Json.exact().copy();
    mapper
        .getFactory()
        .setStreamReadConstraints(
            StreamReadConstraints.builder()
                .maxStringLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .build());
    return mapper.reader().without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  boolean isSuccess() {
    return status.equals("success") && error.isEmpty();
  }

  /**
   * Reads an answer to its end.
   *
   * @throws IOException if it is no answer of a query service, or breaks off
   */
  static Answer read(InputStream in, Consumer<JsonNode> rows) throws IOException {
    String status = "";
    String error = "";
    List<String> warnings = new ArrayList<>();
    try (JsonParser parser = ROWS.createParser(in)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("the answer is no JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals("results") && value == JsonToken.START_ARRAY) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            rows.accept(ROWS.readTree(parser));
          }
        } else if (field.equals("errors")) {
          JsonNode errors = ROWS.readTree(parser);
          error = errors.path(0).path("msg").asText();
        } else if (field.equals("warnings")) {
          JsonNode found = ROWS.readTree(parser);
          warnings.addAll(found.findValuesAsText("msg"));
        } else if (field.equals("status")) {
          status = parser.getText();
        } else {
          parser.skipChildren();
        }
      }
    }
    return new Answer(status, error, warnings);
  }
}
