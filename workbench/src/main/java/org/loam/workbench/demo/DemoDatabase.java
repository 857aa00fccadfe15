package org.loam.workbench.demo;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Engine;
import org.loam.engine.RecoveryReport;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;

/**
 * Two trees of one engine: {@code records}, from key to text, and {@code groups}, from group and
 * key to the number of the ingest that wrote the record last. A batch always changes both.
 */
final class DemoDatabase implements AutoCloseable {
  /** The smallest budget that an engine accepts, so that little data is much. */
  static final long MEMORY_BYTES = 64L << 20;

  private final Engine engine;
  private final Tree records;
  private final Tree groups;

  private DemoDatabase(Engine engine, Tree records, Tree groups) {
    this.engine = engine;
    this.records = records;
    this.groups = groups;
  }

  static DemoDatabase open(Path directory, Durability durability) {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(MEMORY_BYTES).durability(durability).build();
    Engine engine = Engine.open(directory, config);
    try {
      return new DemoDatabase(engine, tree(engine, "records"), tree(engine, "groups"));
    } catch (RuntimeException | Error e) {
      engine.close();
      throw e;
    }
  }

  private static Tree tree(Engine engine, String name) {
    return engine.hasTree(name) ? engine.tree(name) : engine.createTree(name);
  }

  Engine engine() {
    return engine;
  }

  Tree records() {
    return records;
  }

  Tree groups() {
    return groups;
  }

  /** The text of a record as an ingest writes it; the first writes it as the source has it. */
  static byte[] value(DemoRecord record, int ingest) {
    return bytes(ingest == 0 ? record.text() : record.text() + "Loam-Ingest: " + ingest + "\n");
  }

  void put(WriteBatch batch, DemoRecord record, int ingest) {
    batch.put(records, bytes(record.key()), value(record, ingest));
    batch.put(groups, groupKey(record.group(), record.key()), bytes(Integer.toString(ingest)));
  }

  void delete(WriteBatch batch, String key, String group) {
    batch.delete(records, bytes(key));
    batch.delete(groups, groupKey(group, key));
  }

  byte @Nullable [] get(String key) {
    return records.get(bytes(key));
  }

  /** The ingest that wrote a record last, as the second tree knows it, or null. */
  @Nullable String ingestOf(String group, String key) {
    byte[] ingest = groups.get(groupKey(group, key));
    return ingest == null ? null : text(ingest);
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

  Snapshot snapshot() {
    return engine.snapshot();
  }

  @Override
  public void close() {
    engine.close();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** A zero byte sorts a group's keys before those of any group that its name begins. */
  private static byte[] groupKey(String group, String key) {
    return bytes(group + '\0' + key);
  }
}
