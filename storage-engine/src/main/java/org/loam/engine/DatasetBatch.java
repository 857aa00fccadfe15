package org.loam.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.Arguments;
import org.loam.engine.dataset.DatasetWriter;

/**
 * Writes to one dataset or several that show together or not at all, in records and indexes alike,
 * to readers and after a crash. Of two writes to one key the later one counts. May be used again
 * after {@link #clear}; not thread-safe. Arrays are not copied before the batch is written: do not
 * change them.
 */
public final class DatasetBatch {
  private static final TreeMap<byte[], Optional<byte[]>> NOTHING =
      new TreeMap<>(Arrays::compareUnsigned);

  /** By key; an empty one is a deletion. */
  private final Map<Dataset, TreeMap<byte[], Optional<byte[]>>> writes =
      new TreeMap<>(Comparator.comparingInt(dataset -> dataset.state().records().treeId()));

  /** An empty batch. */
  public DatasetBatch() {}

  /** Adds a record, which takes the place of one that is there. */
  public DatasetBatch upsert(Dataset dataset, byte[] key, byte[] record) {
    return add(dataset, key, Optional.of(Arguments.require(record, "record")));
  }

  /** Adds a deletion; the record need not exist. */
  public DatasetBatch delete(Dataset dataset, byte[] key) {
    return add(dataset, key, Optional.empty());
  }

  private DatasetBatch add(Dataset dataset, byte[] key, Optional<byte[]> record) {
    Arguments.require(dataset, "dataset").requireKey(key);
    if (isOfAnotherEngine(dataset)) {
      throw new IllegalArgumentException(
          dataset
              + " is of another engine than "
              + anyDataset()
              + ", which is in the batch already");
    }
    writes.computeIfAbsent(dataset, d -> new TreeMap<>(Arrays::compareUnsigned)).put(key, record);
    return this;
  }

  /** Whether it writes or deletes this key. */
  public boolean has(Dataset dataset, byte[] key) {
    Arguments.require(dataset, "dataset").requireKey(key);
    return !isOfAnotherEngine(dataset) && writes.getOrDefault(dataset, NOTHING).containsKey(key);
  }

  /** Keys that it writes or deletes. */
  public int size() {
    return writes.values().stream().mapToInt(Map::size).sum();
  }

  /** Forgets all writes. */
  public void clear() {
    writes.clear();
  }

  /** One of its datasets, which are all of one engine; null if it is empty. */
  @Nullable Dataset anyDataset() {
    return writes.isEmpty() ? null : writes.keySet().iterator().next();
  }

  /** What it writes, by dataset, in the order in which their keys are locked. */
  List<DatasetWriter.Changes> changes() {
    List<DatasetWriter.Changes> changes = new ArrayList<>();
    writes.forEach(
        (dataset, records) -> changes.add(new DatasetWriter.Changes(dataset.state(), records)));
    return changes;
  }

  /** Whether its trees may have the ids of those that are in the batch. */
  private boolean isOfAnotherEngine(Dataset dataset) {
    Dataset any = anyDataset();
    return any != null && any.open() != dataset.open();
  }
}
