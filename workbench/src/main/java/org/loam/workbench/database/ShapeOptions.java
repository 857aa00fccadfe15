package org.loam.workbench.database;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.loam.engine.Engine;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonIndex;
import org.loam.engine.json.JsonPath;
import org.loam.workbench.console.CommandException;
import picocli.CommandLine.Option;

/** What a dataset is to be: its key and its indexes, as options say it. */
final class ShapeOptions {
  @Option(
      names = "--key",
      split = ",",
      paramLabel = "<path>",
      description =
          "Path of the key in a record. Several paths, comma-separated, make one key of"
              + " several parts.")
  private List<String> key = new ArrayList<>();

  @Option(
      names = "--index",
      converter = IndexText.class,
      paramLabel = "<name=path>",
      description =
          "An index. city=address.city has one part. latest=customer,date:desc has two"
              + " parts, and the second is descending. article=lines[].article has an entry for"
              + " each element. The option may be repeated.")
  private List<JsonIndex> indexes = new ArrayList<>();

  boolean hasKey() {
    return !key.isEmpty();
  }

  List<JsonIndex> indexes() {
    return indexes;
  }

  /**
   * Refuses what no dataset can be, before anything is made for it.
   *
   * @throws IllegalArgumentException if the key is none
   * @throws CommandException if two indexes have one name
   */
  void requirePossible(String dataset) {
    JsonDataset.requireKey(dataset, key);
    requireDistinctIndexes();
  }

  /**
   * Refuses two indexes of one name.
   *
   * @throws CommandException if there are
   */
  void requireDistinctIndexes() {
    Set<String> names = new HashSet<>();
    for (JsonIndex index : indexes) {
      if (!names.add(index.name())) {
        throw CommandException.usage("index '" + index.name() + "' is there twice, must be once");
      }
    }
  }

  /** Creates the dataset. */
  JsonDataset create(Engine engine, String name) {
    return JsonDataset.create(engine, name, key, indexes);
  }

  /**
   * Insists that a dataset is what the options say, as far as they say anything.
   *
   * @throws CommandException if it is not; shows both
   */
  void requireSame(JsonDataset dataset) {
    List<String> stored = dataset.keyPaths().stream().map(JsonPath::toString).toList();
    boolean sameKey = !hasKey() || key.equals(stored);
    if (sameKey && (indexes.isEmpty() || texts(indexes).equals(texts(dataset.indexes())))) {
      return;
    }
    throw CommandException.usage(
        "dataset '"
            + dataset.name()
            + "' is there with "
            + describe(dataset)
            + ", not with "
            + describe(key, indexes)
            + "; leave --key and --index out to use it as it is");
  }

  private static List<String> texts(List<JsonIndex> indexes) {
    return indexes.stream().map(IndexText::of).sorted().toList();
  }

  /** The options that would make a dataset like this one. */
  static String describe(JsonDataset dataset) {
    return describe(
        dataset.keyPaths().stream().map(JsonPath::toString).toList(), dataset.indexes());
  }

  private static String describe(List<String> key, List<JsonIndex> indexes) {
    List<String> options = new ArrayList<>();
    if (!key.isEmpty()) {
      options.add("--key " + String.join(",", key));
    }
    texts(indexes).forEach(text -> options.add("--index " + text));
    return String.join(" ", options);
  }
}
