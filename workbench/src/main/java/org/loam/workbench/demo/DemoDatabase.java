package org.loam.workbench.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.key.KeyBuilder;
import org.loam.engine.DatasetBatch;
import org.loam.engine.Engine;
import org.loam.engine.IndexQuery;
import org.loam.engine.ScanOptions;
import org.loam.engine.json.JsonCursor;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.report.RecoveryReport;

/** One dataset with four indexes in an engine of its own. */
final class DemoDatabase implements AutoCloseable {
  /** The smallest budget that an engine accepts, so that little data is much. */
  static final long MEMORY_BYTES = 64L << 20;

  private final Engine engine;
  private final Shape shape;
  private final JsonDataset dataset;

  private DemoDatabase(Engine engine, Shape shape, JsonDataset dataset) {
    this.engine = engine;
    this.shape = shape;
    this.dataset = dataset;
  }

  static DemoDatabase open(Path directory, Durability durability, Shape shape) {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(MEMORY_BYTES).durability(durability).build();
    Engine engine = Engine.open(directory, config);
    try {
      return new DemoDatabase(engine, shape, dataset(engine, shape));
    } catch (RuntimeException | Error e) {
      engine.close();
      throw e;
    }
  }

  private static JsonDataset dataset(Engine engine, Shape shape) {
    String name = shape.dataset();
    return engine.datasets().has(name)
        ? JsonDataset.open(engine, name)
        : JsonDataset.create(engine, name, List.of(shape.key()), shape.indexes());
  }

  Engine engine() {
    return engine;
  }

  Shape shape() {
    return shape;
  }

  void put(DatasetBatch batch, DemoRecord record) {
    dataset.addTo(batch, record.bytes());
  }

  void delete(DatasetBatch batch, String key) {
    batch.delete(dataset.dataset(), key(key));
  }

  /** Writes a batch; returns how many index entries that added and removed. */
  int write(DatasetBatch batch) {
    return engine.datasets().write(batch);
  }

  byte @Nullable [] get(String key) {
    return dataset.dataset().get(key(key));
  }

  JsonCursor scan(ScanOptions options) {
    return dataset.scan(options);
  }

  JsonCursor query(IndexKind kind, IndexQuery query) {
    return dataset.query(shape.indexName(kind), query);
  }

  /** What opening found, in words. */
  String recovery() {
    RecoveryReport report = engine.recovery();
    if (report.created()) {
      return "created";
    }
    String cut = report.cut() == null ? "" : ", cut after the last whole one";
    return String.format(
        Locale.ROOT,
        "replayed %,d batches (%,d bytes) of the log%s",
        report.replayedFrames(),
        report.replayedBytes(),
        cut);
  }

  @Override
  public void close() {
    engine.close();
  }

  static byte[] key(String key) {
    return new KeyBuilder().add(key).toBytes();
  }

  /** What the keys of all records have in common whose key begins so. */
  static byte[] keyBeginning(String prefix) {
    return new KeyBuilder().addBeginning(prefix).toBytes();
  }
}
