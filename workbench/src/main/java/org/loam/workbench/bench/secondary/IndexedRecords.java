package org.loam.workbench.bench.secondary;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.loam.common.key.KeyBuilder;
import org.loam.engine.Dataset;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.workbench.peer.LoamEngine;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;

/**
 * A new database with one dataset and its indexes. A record has an attribute for each index, a
 * number that all of it decides: to change a record is to move it in every index. Thread-safe.
 */
final class IndexedRecords extends LoamEngine {
  private final Dataset dataset;

  IndexedRecords(Path directory, long memoryBytes, int indexes) {
    super(directory, config(memoryBytes, Durability.PROCESS, Map.of()));
    this.dataset =
        engine
            .datasets()
            .create(
                "records",
                "a value that proves itself",
                IntStream.range(0, indexes).mapToObj(IndexedRecords::definition).toList());
  }

  private static IndexDefinition definition(int index) {
    return IndexDefinition.of(
        indexName(index),
        "attribute " + index,
        (record, keys) -> keys.next().add(attribute(index, record.bytes())));
  }

  static String indexName(int index) {
    return "attribute-" + index;
  }

  /** The attribute of a record that an index keeps: any long, all equally likely. */
  static long attribute(int index, byte[] record) {
    return Keys.identity(
        Values.identity(record) ^ Keys.identity(Values.version(record) + 31L * index));
  }

  static byte[] indexKey(long attribute) {
    return new KeyBuilder().add(attribute).toBytes();
  }

  Dataset dataset() {
    return dataset;
  }
}
