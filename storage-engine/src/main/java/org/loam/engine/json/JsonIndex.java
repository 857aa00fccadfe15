package org.loam.engine.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.loam.common.error.Arguments;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;
import org.loam.engine.DatasetDescription.IndexDescription;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.lsm.dataset.IndexKeys;
import org.loam.lsm.dataset.RecordView;

/**
 * An index of JSON records. A field that a record does not have is the value "missing", which is
 * not null; a path with {@code []} gives an entry for each element, and none if there is none.
 * Immutable.
 *
 * @param name of the index
 * @param paths of the parts of a key, in order; one of them may have {@code []}
 * @param parts their directions
 */
public record JsonIndex(String name, List<JsonPath> paths, List<Direction> parts) {
  /** Checks the paths. */
  public JsonIndex {
    Arguments.require(name, "index name");
    paths = Arguments.requireAll(paths, "paths");
    parts = Arguments.requireAll(parts, "parts");
    if (paths.isEmpty() || paths.size() != parts.size()) {
      throw new IllegalArgumentException(
          "index '"
              + name
              + "' has "
              + paths.size()
              + " paths and "
              + parts.size()
              + " directions, must have as many, and at least one");
    }
    if (paths.stream().filter(JsonPath::isMultiValued).count() > 1) {
      throw new IllegalArgumentException(
          "index '" + name + "' has the paths " + paths + ", only one of them may have []");
    }
  }

  /** An ascending index. */
  public static JsonIndex of(String name, String... paths) {
    return new JsonIndex(
        name,
        Arrays.stream(Arguments.require(paths, "paths")).map(JsonPath::parse).toList(),
        Collections.nCopies(paths.length, Direction.ASCENDING));
  }

  /**
   * The index that a dataset keeps, of the rule that {@link #definition} made.
   *
   * @throws IllegalArgumentException if another program made the rule
   */
  static JsonIndex of(String dataset, IndexDescription known) {
    List<JsonPath> list = new ArrayList<>();
    try {
      ObjectNode rule = JsonFormat.parse(known.rule().getBytes(StandardCharsets.UTF_8));
      rule.path("paths").forEach(path -> list.add(JsonPath.parse(path.asText())));
      return new JsonIndex(known.name(), list, known.parts());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "index '"
              + known.name()
              + "' of dataset '"
              + dataset
              + "' is no index of JSON paths: its rule is "
              + known.rule()
              + "; open the dataset with the program that made the index, or drop it there",
          e);
    }
  }

  IndexDefinition definition() {
    ObjectNode rule = JsonNodeFactory.instance.objectNode();
    ArrayNode array = rule.putArray("paths");
    paths.forEach(path -> array.add(path.toString()));
    return new IndexDefinition(name, parts, rule.toString(), this::extract);
  }

  private void extract(RecordView record, IndexKeys keys) {
    JsonNode json = record.parsed(JsonFormat.PARSER);
    List<List<JsonNode>> values = new ArrayList<>(paths.size());
    int count = 1;
    for (JsonPath path : paths) {
      List<JsonNode> some = new ArrayList<>(1);
      path.forEach(json, some::add);
      values.add(some);
      count = path.isMultiValued() ? some.size() : count;
    }
    for (int i = 0; i < count; i++) {
      KeyBuilder key = keys.next();
      for (int part = 0; part < paths.size(); part++) {
        List<JsonNode> some = values.get(part);
        key.direction(parts.get(part));
        add(key, part, paths.get(part).isMultiValued() ? some.get(i) : some.get(0));
      }
    }
  }

  private void add(KeyBuilder key, int part, JsonNode value) {
    try {
      JsonFormat.add(key, value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "index '" + name + "', path '" + paths.get(part) + "': " + e.getMessage(), e);
    }
  }
}
