package org.loam.engine.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.Arguments;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;
import org.loam.engine.Dataset;
import org.loam.engine.DatasetBatch;
import org.loam.engine.DatasetDescription;
import org.loam.engine.Engine;
import org.loam.engine.IndexProgress;
import org.loam.engine.IndexQuery;
import org.loam.engine.ScanOptions;

/**
 * A dataset of JSON objects. Its key is one field or several, its indexes are {@link JsonIndex}es;
 * both are kept with it. A handle, cheap and thread-safe.
 *
 * <p>In a record's key, a number is an integer of 64 bits or a double, and 1 and 1.0 are the same.
 * A decimal must be one that programs write for a double: the shortest one, nearest to the double,
 * or that of {@link Double#toString(double)} in the Java that runs. Where the two differ, as 2e23
 * and 1.9999999999999998E23 do in Java 17, they are the same key. Any other decimal is refused: it
 * would be the same key as another one, as 9007199254740993.0 and 9007199254740992.0 would be.
 *
 * <pre>{@code
 * JsonDataset orders =
 *     JsonDataset.create(
 *         engine, "orders", List.of("id"), List.of(JsonIndex.of("by_article", "lines[].article")));
 * orders.upsert("{\"id\": 7, \"lines\": [{\"article\": \"nail\"}]}".getBytes(UTF_8));
 * IndexQuery nails = IndexQuery.equal(new KeyBuilder().add("nail").toBytes());
 * try (JsonCursor found = orders.query("by_article", nails)) {
 *   while (found.next()) {
 *     System.out.println(found.record().get("id"));
 *   }
 * }
 * }</pre>
 */
public final class JsonDataset {
  private static final String FORMAT = "json";

  private final Dataset dataset;
  private final List<JsonPath> keyPaths;

  private JsonDataset(Dataset dataset, List<JsonPath> keyPaths) {
    this.dataset = dataset;
    this.keyPaths = keyPaths;
  }

  /**
   * Creates a dataset; durable when it returns.
   *
   * @param keyPaths of the key's parts in order, at least one, none with {@code []}
   * @throws IllegalArgumentException if there is a dataset of that name, or a path is none
   */
  public static JsonDataset create(
      Engine engine, String name, List<String> keyPaths, List<JsonIndex> indexes) {
    List<JsonPath> paths = requireKey(name, keyPaths);
    List<JsonIndex> all = Arguments.requireAll(indexes, "indexes");
    Dataset dataset =
        Arguments.require(engine, "engine")
            .datasets()
            .create(name, rule(paths), all.stream().map(JsonIndex::definition).toList());
    return new JsonDataset(dataset, paths);
  }

  /**
   * The paths of a key, checked as {@link #create} does.
   *
   * @throws IllegalArgumentException if there is none, or one is none of a key
   */
  public static List<JsonPath> requireKey(String dataset, List<String> keyPaths) {
    List<JsonPath> paths =
        Arguments.requireAll(keyPaths, "keyPaths").stream().map(JsonPath::parse).toList();
    if (paths.isEmpty() || paths.stream().anyMatch(JsonPath::isMultiValued)) {
      throw new IllegalArgumentException(
          "dataset '"
              + dataset
              + "' has the key "
              + paths
              + ", must be one path or more without []");
    }
    return paths;
  }

  /**
   * Opens a dataset by what is kept with it.
   *
   * @throws IllegalArgumentException if there is none of that name, if its records are not JSON, or
   *     if it has an index that is no {@link JsonIndex}
   */
  public static JsonDataset open(Engine engine, String name) {
    DatasetDescription known = Arguments.require(engine, "engine").datasets().describe(name);
    List<JsonPath> paths = keyPaths(known);
    List<JsonIndex> indexes = indexes(known);
    Dataset dataset =
        engine
            .datasets()
            .open(name, known.rule(), indexes.stream().map(JsonIndex::definition).toList());
    return new JsonDataset(dataset, paths);
  }

  /**
   * Opens all datasets that are wholly of JSON, records and indexes, so that {@link
   * Engine#verify()} can compare them. Others are left to the programs that know them.
   */
  public static List<JsonDataset> openAll(Engine engine) {
    List<JsonDataset> opened = new ArrayList<>();
    for (DatasetDescription known : Arguments.require(engine, "engine").datasets().list()) {
      try {
        opened.add(open(engine, known.name()));
      } catch (IllegalArgumentException e) {
        // Its rules say nothing here.
      }
    }
    return opened;
  }

  private static List<JsonIndex> indexes(DatasetDescription known) {
    return known.indexes().stream().map(index -> JsonIndex.of(known.name(), index)).toList();
  }

  private static String rule(List<JsonPath> paths) {
    ObjectNode rule = JsonNodeFactory.instance.objectNode();
    rule.put("format", FORMAT);
    ArrayNode array = rule.putArray("key");
    paths.forEach(path -> array.add(path.toString()));
    return rule.toString();
  }

  private static List<JsonPath> keyPaths(DatasetDescription known) {
    List<JsonPath> paths = new ArrayList<>();
    try {
      ObjectNode rule = JsonFormat.parse(known.rule().getBytes(StandardCharsets.UTF_8));
      if (rule.path("format").asText().equals(FORMAT)) {
        rule.path("key").forEach(path -> paths.add(JsonPath.parse(path.asText())));
      }
    } catch (IllegalArgumentException e) {
      // The words of another program, which are not JSON or no paths.
      paths.clear();
    }
    if (paths.isEmpty()) {
      throw new IllegalArgumentException(
          "dataset '"
              + known.name()
              + "' does not have JSON records; the program that created it knows them as "
              + known.rule());
    }
    return paths;
  }

  /** The records as bytes, by keys as bytes; {@link #key} makes those. */
  public Dataset dataset() {
    return dataset;
  }

  public String name() {
    return dataset.name();
  }

  /** The paths of the key's parts. */
  public List<JsonPath> keyPaths() {
    return keyPaths;
  }

  /**
   * The indexes there are now, by name.
   *
   * @throws IllegalArgumentException if one of them is no {@link JsonIndex}
   */
  public List<JsonIndex> indexes() {
    return indexes(dataset.description());
  }

  /**
   * One of the indexes.
   *
   * @throws IllegalArgumentException if there is none of that name, with the nearest name there is;
   *     or if it is no {@link JsonIndex}
   */
  public JsonIndex index(String name) {
    return JsonIndex.of(name(), dataset.describeIndex(name));
  }

  /** Makes an index of the records there are; see {@link Dataset#createIndex}. */
  public void createIndex(JsonIndex index) {
    createIndex(index, IndexProgress.NONE);
  }

  /** Makes an index as {@link #createIndex(JsonIndex)} does, and tells how far that is. */
  public void createIndex(JsonIndex index, IndexProgress progress) {
    dataset.createIndex(Arguments.require(index, "index").definition(), progress);
  }

  /**
   * Drops an index; durable when it returns.
   *
   * @throws IllegalArgumentException if there is none of that name, with the nearest name there is
   */
  public void dropIndex(String name) {
    dataset.dropIndex(name);
  }

  // ---- Records.

  /**
   * Writes a record, replacing one of the same key.
   *
   * @param json in UTF-8 without a byte order mark, an object; kept as it is
   * @throws IllegalArgumentException if it is malformed, has no key, or a value that an index
   *     cannot have; nothing was written then
   */
  public void upsert(byte[] json) {
    dataset.upsert(keyOf(json), json);
  }

  /** Writes a record unless there is one of the same key; whether it did. */
  public boolean insert(byte[] json) {
    return dataset.insert(keyOf(json), json);
  }

  /** Adds a record to a batch; see {@link #upsert}. */
  public void addTo(DatasetBatch batch, byte[] json) {
    Arguments.require(batch, "batch").upsert(dataset, keyOf(json), json);
  }

  /** Deletes a record; it need not exist. */
  public void delete(byte[] key) {
    dataset.delete(key);
  }

  /** The record of a key, or null; a number with a fraction is a double. */
  public @Nullable ObjectNode get(byte[] key) {
    byte[] json = dataset.get(key);
    return json == null ? null : JsonFormat.parse(json);
  }

  /** The records in a range of keys, as they are now. */
  public JsonCursor scan(ScanOptions options) {
    return JsonCursor.of(dataset.scan(options));
  }

  /**
   * The records that an index finds now, in the order of the index; one shows once for each of its
   * entries.
   *
   * @throws IllegalArgumentException if there is no such index, with the nearest name there is
   */
  public JsonCursor query(String index, IndexQuery query) {
    return JsonCursor.of(dataset.query(index, query));
  }

  /**
   * The keys that an index has now, with those of their records, which are not read.
   *
   * @throws IllegalArgumentException if there is no such index, with the nearest name there is; or
   *     if it is no {@link JsonIndex}
   */
  public JsonKeyCursor queryKeys(String index, IndexQuery query) {
    // At first: if it is refused, no cursor is open.
    JsonIndex one = index(index);
    return new JsonKeyCursor(dataset.queryKeys(index, query), one, keyPaths);
  }

  // ---- Keys.

  /**
   * The key of a record that is written; see {@link #upsert}.
   *
   * @throws IllegalArgumentException if the record is malformed or has none; or if its key is a
   *     decimal that no program writes for a double
   */
  public byte[] keyOf(byte[] json) {
    ObjectNode record = JsonFormat.parseNew(json);
    KeyBuilder key = new KeyBuilder();
    for (JsonPath path : keyPaths) {
      path.forEach(record, value -> addPart(key, path, value, json));
    }
    return key.toBytes();
  }

  private void addPart(KeyBuilder key, JsonPath path, JsonNode value, byte[] json) {
    if (value.isMissingNode() || value.isNull()) {
      throw new IllegalArgumentException(
          "the record has "
              + JsonFormat.typeOf(value)
              + " at '"
              + path
              + "', which is the key of dataset '"
              + dataset.name()
              + "' and must be there");
    }
    try {
      boolean isRounded = value.isDouble() && Double.isFinite(value.doubleValue());
      JsonFormat.add(key, isRounded ? JsonFormat.exactly(json, path) : value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("key '" + path + "': " + e.getMessage(), e);
    }
  }

  /**
   * A key of these values, for records and for indexes alike; the first parts of a key will do for
   * a query.
   *
   * @param parts the directions of as many parts, or of more
   * @throws IllegalArgumentException if there are fewer, or a value is none that keys can have;
   *     among the latter is a decimal that no program writes for a double
   */
  public static byte[] key(List<Direction> parts, List<? extends JsonNode> values) {
    Arguments.require(parts, "parts");
    int count = Arguments.require(values, "values").size();
    if (count > parts.size()) {
      throw new IllegalArgumentException(
          "there are " + count + " values for a key of " + parts.size() + " parts");
    }
    KeyBuilder key = new KeyBuilder();
    for (int i = 0; i < count; i++) {
      key.direction(Arguments.require(parts.get(i), "a part"));
      JsonFormat.add(key, Arguments.require(values.get(i), "a value"));
    }
    return key.toBytes();
  }
}
