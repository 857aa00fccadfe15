package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.key.Direction;
import org.loam.common.key.KeyBuilder;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonIndex;
import org.loam.engine.json.JsonPath;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * Nulls that a caller gives a dataset, or gives for one, and other things that it cannot have:
 * refused by name, nothing has changed.
 */
class DatasetMisuseTest {
  private static final byte[] KEY = bytes("key");
  private static final IndexDefinition INDEX =
      IndexDefinition.of("one", "one key", (record, keys) -> keys.next().add(1L));

  @TempDir Path directory;

  private static EngineConfig config() {
    return EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void refused(ThrowingCallable call, String what) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(what + " is null, must not be null");
  }

  @Test
  void ofDefinitionsAndOptions() {
    refused(() -> new IndexDefinition(null, INDEX.parts(), "", INDEX.extractor()), "index name");
    refused(() -> new IndexDefinition("i", null, "", INDEX.extractor()), "parts");
    refused(() -> IndexDefinition.of("i", null, INDEX.extractor()), "rule");
    refused(() -> IndexDefinition.of("i", "", null), "extractor");
    List<Direction> none = Collections.singletonList(null);
    refused(() -> new IndexDefinition("i", none, "", INDEX.extractor()), "parts[0]");
    refused(() -> OpenOptions.DEFAULT.withDirectories(null), "directories");
    List<Path> directories = Arrays.asList(directory, null);
    refused(() -> OpenOptions.DEFAULT.withDirectories(directories), "directories[1]");
    refused(() -> Engine.open((StorageEnv) null, directory, config()), "env");
    refused(() -> new KeyBuilder().add((String) null), "value");
    refused(() -> new KeyBuilder().add((byte[]) null), "value");
  }

  @Test
  void ofDatasets() {
    try (Engine engine = Engine.open(directory, config())) {
      Datasets datasets = engine.datasets();
      refused(() -> datasets.create("d", "rule", null), "indexes");
      List<IndexDefinition> none = Arrays.asList(INDEX, null);
      refused(() -> datasets.create("d", "rule", none), "indexes[1]");
      assertThat(datasets.has("d")).isFalse();

      Dataset dataset = datasets.create("d", "rule", List.of(INDEX));
      refused(() -> datasets.open("d", "rule", null), "indexes");
      DatasetBatch batch = new DatasetBatch().upsert(dataset, KEY, KEY);
      refused(() -> batch.has(null, KEY), "dataset");
      refused(() -> batch.has(dataset, null), "key");
      assertThat(batch.has(dataset, KEY)).isTrue();
    }
  }

  /** The manifest would keep another rule, and no program could open the dataset by its own. */
  @Test
  void aRuleThatUtf8CannotExpressIsRefused() {
    try (Engine engine = Engine.open(directory, config())) {
      Datasets datasets = engine.datasets();
      refusedWith(() -> datasets.create("d", "\ud800", List.of()), "dataset 'd'", "surrogate");
      IndexDefinition bad = IndexDefinition.of("i", "\ud800", INDEX.extractor());
      refusedWith(() -> datasets.create("d", "rule", List.of(bad)), "index 'i'", "surrogate");
      Dataset dataset = datasets.create("d", "rule", List.of());
      refusedWith(() -> dataset.createIndex(bad), "index 'i'", "surrogate");
      assertThat(dataset.description().indexes()).isEmpty();
      dataset.upsert(KEY, KEY);
    }
  }

  private static void refusedWith(ThrowingCallable call, String... told) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(told);
  }

  @Test
  void aKeyOfMoreValuesThanPartsIsRefused() {
    List<JsonNode> values = List.of(IntNode.valueOf(1), IntNode.valueOf(2));
    refusedWith(() -> JsonDataset.key(List.of(Direction.ASCENDING), values), "2 values", "1 part");
  }

  @Test
  void ofJsonDatasets() {
    try (Engine engine = Engine.open(directory, config())) {
      List<String> key = List.of("id");
      refused(() -> JsonDataset.create(null, "d", key, List.of()), "engine");
      refused(() -> JsonDataset.create(engine, null, key, List.of()), "dataset name");
      refused(() -> JsonDataset.create(engine, "d", null, List.of()), "keyPaths");
      refused(
          () -> JsonDataset.create(engine, "d", Collections.singletonList(null), List.of()),
          "keyPaths[0]");
      refused(() -> JsonDataset.create(engine, "d", key, null), "indexes");
      refused(() -> JsonDataset.open(null, "d"), "engine");
      refused(() -> JsonDataset.openAll(null), "engine");
      refused(() -> JsonIndex.of(null, "city"), "index name");
      refused(() -> JsonIndex.of("city", (String[]) null), "paths");
      refused(() -> JsonIndex.of("city", (String) null), "path");
      refused(() -> JsonPath.parse(null), "path");
      assertThat(engine.datasets().list()).isEmpty();

      JsonDataset dataset = JsonDataset.create(engine, "d", key, List.of());
      refused(() -> dataset.upsert(null), "record");
      refused(() -> dataset.insert(null), "record");
      refused(() -> dataset.addTo(null, bytes("{\"id\": 1}")), "batch");
      refused(() -> dataset.createIndex(null), "index");
      refused(() -> JsonDataset.key(null, List.of()), "parts");
      refused(() -> JsonDataset.key(List.of(), null), "values");
      assertThat(dataset.indexes()).isEmpty();
    }
  }

  /** Flushes and merges would keep old versions for it until the close. */
  @Test
  void aQueryOfTheKeysOfAnIndexThatIsNotJsonLeavesNoReader() {
    try (Engine engine = Engine.open(directory, config())) {
      JsonDataset dataset = JsonDataset.create(engine, "d", List.of("id"), List.of());
      dataset.dataset().createIndex(INDEX);
      refusedWith(() -> dataset.queryKeys("one", IndexQuery.all()), "JSON");
      assertThat(engine.open().reads().registry().size()).isZero();
    }
  }
}
