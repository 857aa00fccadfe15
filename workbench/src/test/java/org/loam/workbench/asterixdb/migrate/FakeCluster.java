package org.loam.workbench.asterixdb.migrate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.loam.workbench.console.Json;

/**
 * Datasets in memory, whose records have texts, numbers and {@code int8("1")}. They come in another
 * order than that of their loading.
 */
final class FakeCluster implements MoveCluster {
  private static final String INT8 = "int8\\(\"(-?\\d+)\"\\)";

  final Map<String, List<String>> datasets = new HashMap<>();
  String name = "";
  UnaryOperator<String> change = record -> record;
  Runnable afterPlain = () -> {};
  Runnable afterRead = () -> {};
  Runnable afterLoad = () -> {};
  String loadedBy = "";
  int inserted;

  /** A dataset that is there. */
  List<String> dataset(String dataset, String... records) {
    List<String> all = new ArrayList<>(List.of(records));
    datasets.put(dataset, all);
    return all;
  }

  @Override
  public Optional<String> identity() {
    return Optional.of(name).filter(some -> !some.isEmpty());
  }

  @Override
  public OptionalLong count(String dataset) {
    List<String> records = datasets.get(dataset);
    return records == null ? OptionalLong.empty() : OptionalLong.of(records.size());
  }

  private List<String> backwards(String dataset) {
    List<String> backwards = new ArrayList<>();
    datasets.getOrDefault(dataset, List.of()).forEach(record -> backwards.add(0, record));
    return backwards;
  }

  @Override
  public void readPlain(String dataset, Consumer<String> records) {
    for (String record : backwards(dataset)) {
      records.accept(record.replaceAll(INT8, "$1"));
    }
    afterPlain.run();
  }

  @Override
  public void readLossless(String dataset, Set<String> without, Consumer<JsonNode> records) {
    for (String record : backwards(dataset)) {
      String texts = record.replaceAll("\"([^\"]*)\"(?=[ ,}])", "\":$1\"");
      try {
        records.accept(Json.exact().readTree(texts.replaceAll(INT8, "\"01:$1\"")));
      } catch (JsonProcessingException e) {
        throw new UncheckedIOException(e);
      }
    }
    afterRead.run();
  }

  @Override
  public void load(String dataset, String node, Path file) {
    loadedBy = node;
    List<String> records = datasets.getOrDefault(dataset, List.of());
    try (Stream<String> lines = Files.lines(file)) {
      lines.map(change).filter(line -> !line.isEmpty()).forEach(records::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    afterLoad.run();
  }

  @Override
  public void insert(String dataset, List<String> records) {
    datasets.getOrDefault(dataset, List.of()).addAll(records);
    inserted += records.size();
  }

  @Override
  public void drop(String dataset) {
    datasets.remove(dataset);
  }
}
