package org.loam.workbench.database;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.loam.dashboard.source.AttachedEngine;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics;
import org.loam.engine.EngineStatistics.DatasetStatistics;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;
import org.loam.engine.report.FlushChoice;
import org.loam.workbench.console.Json;

/**
 * What a database holds.
 *
 * @param datasets what they are; null if another process has the database open, which does not say
 * @param engine memory, log, cache, stalls and trees
 * @param health what keeps the engine from its work, as {@link Engine#health} has it; null if this
 *     process has the database open, or the other one does not say
 * @param flushes what was flushed since the database was opened and why, if that was asked for
 */
record StatsReport(
    @JsonProperty("datasets") @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<DatasetShape> datasets,
    @JsonProperty("engine") EngineStatistics engine,
    @JsonProperty("health") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode health,
    @JsonProperty("flushes") @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<FlushChoice> flushes) {
  private static final double MIB = 1 << 20;

  /**
   * What an engine holds.
   *
   * @param flushes whether to show what was flushed, and why
   */
  static StatsReport of(Engine engine, boolean flushes) {
    return new StatsReport(
        DatasetShape.of(engine), engine.statistics(), null, flushes ? engine.flushChoices() : null);
  }

  /**
   * What an engine of another process holds.
   *
   * @param flushes whether to show what was flushed, and why
   * @throws IOException if the engine was closed meanwhile
   * @throws UncheckedIOException if another version of Loam runs there
   */
  static StatsReport of(AttachedEngine engine, boolean flushes) throws IOException {
    String health = engine.health();
    return new StatsReport(
        null,
        Json.read(engine.statistics(), EngineStatistics.class),
        health == null ? null : Json.read(health, JsonNode.class),
        flushes ? List.of(Json.read(engine.flushChoices(), FlushChoice[].class)) : null);
  }

  String text() {
    StringBuilder text = new StringBuilder(EngineText.of(engine));
    if (health != null) {
      text.append(EngineText.faults(health));
    }
    if (datasets != null) {
      datasets.forEach(dataset -> appendDataset(text, dataset));
    }
    engine.datasets().forEach(dataset -> appendWrites(text, dataset));
    engine.trees().forEach(tree -> appendTree(text, tree));
    if (flushes != null) {
      text.append(FlushText.of(flushes));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }

  private static void appendDataset(StringBuilder text, DatasetShape dataset) {
    line(text, "dataset  %s: %s", dataset.name(), dataset.keyText());
    dataset.indexes().forEach(index -> line(text, "index    %s", index));
  }

  private static void appendWrites(StringBuilder text, DatasetStatistics dataset) {
    if (dataset.writes() > 0) {
      line(
          text,
          "writes   %s: %d, %d records read for them, %d index entries",
          dataset.name(),
          dataset.writes(),
          dataset.recordReads(),
          dataset.indexEntries());
    }
  }

  private static void appendTree(StringBuilder text, TreeStatistics tree) {
    line(
        text,
        "tree     %s: %.1f MiB in memory, %.1f superseded",
        tree.name(),
        tree.memoryBytes() / MIB,
        tree.writeUse().supersededBytes() / MIB);
    for (LevelStatistics level : tree.levels()) {
      line(
          text,
          "level    L%d: %d entries, %.1f MiB%s, tables %d, groups %d",
          level.level(),
          level.entries(),
          level.bytes() / MIB,
          level.targetBytes() > 0
              ? String.format(Locale.ROOT, " of %.1f", level.targetBytes() / MIB)
              : "",
          level.tables(),
          level.groups());
    }
  }
}
