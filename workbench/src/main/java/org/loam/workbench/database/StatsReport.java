package org.loam.workbench.database;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.loam.engine.Engine;
import org.loam.engine.EngineStatistics;
import org.loam.engine.EngineStatistics.DatasetStatistics;
import org.loam.engine.EngineStatistics.LevelStatistics;
import org.loam.engine.EngineStatistics.TreeStatistics;

/**
 * What a database holds.
 *
 * @param datasets what they are
 * @param engine memory, log, cache, stalls and trees
 */
record StatsReport(
    @JsonProperty("datasets") List<DatasetShape> datasets,
    @JsonProperty("engine") EngineStatistics engine) {
  private static final double MIB = 1 << 20;

  static StatsReport of(Engine engine) {
    return new StatsReport(DatasetShape.of(engine), engine.statistics());
  }

  String text() {
    StringBuilder text = new StringBuilder();
    EngineStatistics.Memory memory = engine.memory();
    line(
        text,
        "memory   %.1f of %.1f MiB: write %.1f of %.1f, cache %.1f of %.1f, fixed %.1f",
        memory.usedBytes() / MIB,
        memory.totalBytes() / MIB,
        memory.writeUsedBytes() / MIB,
        memory.writeTargetBytes() / MIB,
        memory.cacheUsedBytes() / MIB,
        memory.cacheTargetBytes() / MIB,
        memory.fixedBytes() / MIB);
    line(
        text,
        "log      %.1f MiB to replay, %.1f MiB written",
        engine.log().lengthBytes() / MIB,
        engine.log().writtenBytes() / MIB);
    line(
        text,
        "work     %d flushes, %.1f MiB; %d merges, %.1f MiB",
        engine.work().flushes(),
        engine.work().flushedBytes() / MIB,
        engine.work().merges(),
        engine.work().mergedBytes() / MIB);
    line(
        text,
        "cache    %d hits, %d misses",
        sum(engine.cache().hits().values()),
        sum(engine.cache().misses().values()));
    line(text, "stalls   %s", stalls());
    datasets.forEach(dataset -> appendDataset(text, dataset));
    engine.datasets().forEach(dataset -> appendWrites(text, dataset));
    engine.trees().forEach(tree -> appendTree(text, tree));
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }

  private static long sum(Iterable<Long> counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  private String stalls() {
    StringJoiner causes = new StringJoiner("; ").setEmptyValue("none");
    engine
        .stalls()
        .totals()
        .forEach(
            (cause, totals) -> {
              if (totals.count() + totals.activeCount() > 0) {
                causes.add(
                    String.format(
                        Locale.ROOT,
                        "%s %d times, %.1f s, longest %.1f s",
                        cause,
                        totals.count() + totals.activeCount(),
                        totals.nanos() / 1e9,
                        totals.longestNanos() / 1e9));
              }
            });
    return causes.toString();
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
    line(text, "tree     %s: %.1f MiB in memory", tree.name(), tree.memoryBytes() / MIB);
    for (LevelStatistics level : tree.levels()) {
      line(
          text,
          "level    L%d: %d entries, %.1f MiB, tables %d, groups %d",
          level.level(),
          level.entries(),
          level.bytes() / MIB,
          level.tables(),
          level.groups());
    }
  }
}
