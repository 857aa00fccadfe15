package org.loam.workbench.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.Machine;

/**
 * What the demo prints at its end.
 *
 * @param source of the records
 * @param records ingested first
 * @param recordBytes their text, in all
 * @param memoryBytes the engine's budget
 * @param updates that replaced a record
 * @param deletes of records
 * @param writesPerSecond of the first ingest and the updates, two index entries per write
 * @param engine what the engine did meanwhile
 * @param reads that were compared
 * @param kills of the child process
 * @param acknowledged records that the children were told are safe
 * @param lost of these, those that were not there afterwards; must be 0
 * @param tornBatches batches found in part; must be 0
 * @param wrongRecords records with a value nobody wrote; must be 0
 * @param recovery what the last reopening found
 * @param seconds the whole demo
 * @param directory of the database, if it was kept
 * @param machine that it ran on
 */
record DemoReport(
    @JsonProperty("source") String source,
    @JsonProperty("records") long records,
    @JsonProperty("recordBytes") long recordBytes,
    @JsonProperty("memoryBytes") long memoryBytes,
    @JsonProperty("updates") long updates,
    @JsonProperty("deletes") long deletes,
    @JsonProperty("writesPerSecond") long writesPerSecond,
    @JsonProperty("engine") EngineFigures engine,
    @JsonProperty("reads") ReadCheck.Counts reads,
    @JsonProperty("kills") int kills,
    @JsonProperty("acknowledged") long acknowledged,
    @JsonProperty("lost") long lost,
    @JsonProperty("tornBatches") long tornBatches,
    @JsonProperty("wrongRecords") long wrongRecords,
    @JsonProperty("recovery") String recovery,
    @JsonProperty("seconds") double seconds,
    @JsonProperty("directory") @Nullable String directory,
    @JsonProperty("machine") Machine machine) {

  boolean isClean() {
    return lost == 0 && tornBatches == 0 && wrongRecords == 0 && reads.wrong() == 0;
  }

  /** For people: one line per fact. */
  String text() {
    StringBuilder text = new StringBuilder();
    line(text, "source", source);
    line(
        text,
        "records",
        String.format(
            Locale.ROOT,
            "%,d, %,d bytes; %,d updates, %,d deletes, %,d writes/s",
            records,
            recordBytes,
            updates,
            deletes,
            writesPerSecond));
    line(
        text,
        "memory",
        String.format(
            Locale.ROOT,
            "%d MiB off heap in all, %.1f MiB in use",
            memoryBytes >> 20,
            engine.memoryUsedBytes() / (double) (1 << 20)));
    line(text, "flushes", engine.flushes());
    line(text, "merges", engine.merges());
    for (EngineFigures.Level level : engine.levels()) {
      line(text, level.name(), level.text());
    }
    line(text, "cache misses", engine.cacheMisses());
    line(text, "cache hits", engine.cacheHits());
    line(
        text,
        "reads",
        String.format(
            Locale.ROOT,
            "%,d by key, %,d by prefix, %,d by range, %,d in reverse, %d wrong",
            reads.byKey(),
            reads.byPrefix(),
            reads.byRange(),
            reads.inReverse(),
            reads.wrong()));
    line(text, "killed", kills + (kills == 1 ? " time" : " times") + "; " + recovery);
    line(text, "acknowledged", String.format(Locale.ROOT, "%,d", acknowledged));
    line(text, "lost", lost);
    line(text, "torn batches", tornBatches);
    line(text, "wrong records", wrongRecords);
    if (directory != null) {
      line(text, "kept in", directory);
    }
    line(text, "time", String.format(Locale.ROOT, "%.1f s", seconds));
    line(text, "result", isClean() ? "all as it must be" : "FAILED: see what is not 0");
    return text.toString();
  }

  private static void line(StringBuilder text, String name, Object value) {
    Object shown = value instanceof Long n ? String.format(Locale.ROOT, "%,d", n) : value;
    text.append(String.format(Locale.ROOT, "%-14s %s%n", name, shown));
  }
}
