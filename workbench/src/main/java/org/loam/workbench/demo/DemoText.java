package org.loam.workbench.demo;

import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.loam.workbench.demo.EngineFigures.Level;
import org.loam.workbench.demo.Showcase.Found;
import org.loam.workbench.demo.Showcase.Move;

/** A {@link DemoReport} for people: one line per fact. */
final class DemoText {
  private final DemoReport report;
  private final Formatter text = new Formatter(Locale.ROOT);

  private DemoText(DemoReport report) {
    this.report = report;
  }

  static String of(DemoReport report) {
    DemoText text = new DemoText(report);
    text.writes();
    text.engine();
    text.reads();
    text.showcase();
    text.crashes();
    return text.text.toString();
  }

  private void writes() {
    line("source").format("%s%n", report.given().source());
    line("records")
        .format("%,d, %,d bytes of JSON%n", report.given().records(), report.given().recordBytes());
    line("index entries")
        .format(
            "%,d in 4 indexes, %,d/s with their records%n",
            report.writes().indexEntries(), report.writes().indexEntriesPerSecond());
    line("updates")
        .format(
            "%,d, which moved %,d index entries; %,d deletes; %,d records/s in all%n",
            report.writes().updates(),
            report.writes().movedIndexEntries(),
            report.writes().deletes(),
            report.writes().writesPerSecond());
  }

  private void engine() {
    EngineFigures engine = report.engine();
    line("memory")
        .format(
            "%d MiB off heap in all, %.1f MiB in use%n",
            report.given().memoryBytes() >> 20, mebibytes(engine.memoryUsedBytes()));
    line("disk").format("%,d flushes, %,d merges%n", engine.flushes(), engine.merges());
    Map<String, List<Level>> trees =
        engine.levels().stream()
            .collect(Collectors.groupingBy(Level::tree, LinkedHashMap::new, Collectors.toList()));
    trees.forEach(this::tree);
    line("cache").format("%,d hits, %,d misses%n", engine.cacheHits(), engine.cacheMisses());
  }

  private void tree(String name, List<Level> levels) {
    line(name)
        .format(
            "%,d entries, %.1f MiB; tables %s%n",
            levels.stream().mapToLong(Level::entries).sum(),
            mebibytes(levels.stream().mapToLong(Level::bytes).sum()),
            levels.stream()
                .map(level -> "L" + level.level() + " " + level.tables())
                .collect(Collectors.joining(", ")));
  }

  private void reads() {
    Answers.Counts reads = report.reads();
    line("reads")
        .format(
            "%,d by key, %,d by prefix, %,d by range, %,d in reverse,"
                + " %,d by index; %,d wrong%n",
            reads.byKey(),
            reads.byPrefix(),
            reads.byRange(),
            reads.inReverse(),
            reads.byIndex(),
            reads.wrong());
  }

  private void showcase() {
    Showcase showcase = report.showcase();
    line("who")
        .format(
            "%,d %s: %s, ...%n",
            showcase.having(),
            report.given().shape().having(showcase.element()),
            String.join(", ", showcase.someHaving()));
    line("largest")
        .format(
            "%s: %s%n",
            report.given().shape().inGroup(showcase.group()),
            showcase.largest().stream()
                .map(one -> String.format(Locale.ROOT, "%s %,d", one.key(), one.number()))
                .collect(Collectors.joining(", ")));
    Move move = showcase.move();
    line("moved").format("%s from %s to %s;%n", move.key(), move.from(), move.to());
    line("").format("found before %s, after %s%n", places(move.before()), places(move.after()));
  }

  private static String places(Found found) {
    if (found.underOld()) {
      return found.underNew() ? "under both" : "under the old one only";
    }
    return found.underNew() ? "under the new one only" : "under neither";
  }

  private void crashes() {
    line("killed")
        .format(
            "%d time%s; %s%n",
            report.crashes().kills(),
            report.crashes().kills() == 1 ? "" : "s",
            report.crashes().recovery());
    line("acknowledged").format("%,d%n", report.crashes().acknowledged());
    line("lost").format("%,d%n", report.crashes().lost());
    line("torn batches").format("%,d%n", report.crashes().tornBatches());
    line("wrong records").format("%,d%n", report.crashes().wrongRecords());
    line("verify").format("%s%n", report.verify().text());
    if (report.circumstances().directory() != null) {
      line("kept in").format("%s%n", report.circumstances().directory());
    }
    line("time").format("%.1f s%n", report.circumstances().seconds());
    line("result")
        .format("%s%n", report.isClean() ? "all as it must be" : "FAILED: see what is not 0");
  }

  private static double mebibytes(long bytes) {
    return bytes / (double) (1 << 20);
  }

  /** Begins a line; what is formatted then ends it. */
  private Formatter line(String name) {
    return text.format("%-22s ", name);
  }
}
