package org.loam.workbench.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.loam.workbench.console.Json;

/** A JSON record and what the model needs to know of it. Immutable. */
final class DemoRecord {
  /** An update moves index entries of six records out of so many. */
  private static final int MOVES = 16;

  private final Shape shape;
  private final ObjectNode json;
  private final byte[] bytes;
  private final String key;
  private final Values values;

  private DemoRecord(Shape shape, ObjectNode json, byte[] bytes) {
    this.shape = shape;
    this.json = json;
    this.bytes = bytes;
    this.key = json.path(shape.key()).textValue();
    this.values = shape.values(json);
  }

  static DemoRecord of(Shape shape, byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return new DemoRecord(shape, Json.read(text, ObjectNode.class), bytes);
  }

  private static DemoRecord of(Shape shape, ObjectNode json) {
    return new DemoRecord(shape, json, Json.line(json).getBytes(StandardCharsets.UTF_8));
  }

  String key() {
    return key;
  }

  /** In UTF-8; not to be changed. */
  byte[] bytes() {
    return bytes;
  }

  Values values() {
    return values;
  }

  /**
   * The record as an ingest writes it: the first as the source has it, each further one with its
   * number; and some, others each time, with a value of an index changed.
   */
  DemoRecord rewritten(int ingest) {
    if (ingest == 0) {
      return this;
    }
    ObjectNode changed = json.deepCopy();
    changed.put("ingest", ingest);
    switch (Math.floorMod(key.hashCode() + ingest, MOVES)) {
      case 0 -> changed.put(shape.textField(), shape.successor());
      case 1, 2, 3, 4 -> changed.put(shape.numberField(), Math.abs(values.number()) + ingest);
      case 5 -> removeLast(changed.withArrayProperty(shape.arrayField()));
      default -> {
        // As the source has it, which moves back what the last ingest moved.
      }
    }
    return of(shape, changed);
  }

  private static void removeLast(ArrayNode array) {
    if (!array.isEmpty()) {
      array.remove(array.size() - 1);
    }
  }

  /** The record with another value in the plain text index. */
  DemoRecord handedTo(String text) {
    ObjectNode changed = json.deepCopy();
    changed.put(shape.textField(), text);
    return of(shape, changed);
  }
}
