package org.loam.workbench.inspect;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.loam.common.env.real.RealEnv;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.history.HistoryReader;
import org.loam.tuner.policy.Decision;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.database.DatabaseOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code loam tuner}: what the memory tuner decided, and why. */
@Command(
    name = "tuner",
    description = {
      "Shows how the memory tuner of an engine has divided its memory: one line for each"
          + " cycle, oldest first. It reads the history in the directory of the database, and the"
          + " engine may be running. Times begin with the opening of the engine."
    },
    footer = {
      "  loam tuner --directory /srv/orders",
      "  loam tuner --explain --limit 3",
      "  loam tuner --json | jq '.entries[-1].decision'"
    })
public final class TunerCommand implements Callable<Integer> {
  private static final double MIB = 1 << 20;
  private static final double SECOND_NANOS = 1e9;

  @Mixin private DatabaseOptions database = new DatabaseOptions();
  @Mixin private DumpOptions report = new DumpOptions();

  @Option(names = "--explain", description = "Also show what each decision was derived from.")
  private boolean explain;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "20",
      description = "Show the last n cycles. Default: 20.")
  private int limit = 20;

  @Override
  public Integer call() {
    report.requireLimit(limit);
    if (!Files.isDirectory(database.directory())) {
      throw CommandException.environment(
          "there is no directory "
              + database.directory()
              + "; name that of a database with --directory");
    }
    Path file = HistoryReader.fileIn(database.directory());
    HistoryReader.History all =
        database.reach(() -> HistoryReader.read(RealEnv.create().files(), file));
    int size = all.entries().size();
    HistoryReader.History last =
        new HistoryReader.History(
            all.entries().subList(Math.max(0, size - limit), size), all.brokenLines());
    return report.print(last, List.of(), out -> print(last, out));
  }

  private void print(HistoryReader.History history, PrintWriter out) {
    if (history.entries().isEmpty() && history.brokenLines() == 0) {
      out.println("no cycle of the memory tuner has ended");
    }
    for (HistoryEntry entry : history.entries()) {
      print(entry, out);
    }
    if (history.brokenLines() > 0) {
      out.printf(
          Locale.ROOT, "lines of the history that are no entries: %,d%n", history.brokenLines());
    }
  }

  private void print(HistoryEntry entry, PrintWriter out) {
    Decision decision = entry.decision();
    out.printf(
        Locale.ROOT,
        "cycle %d after %,d s, %s: write memory %.1f of %.1f MiB, %s (%s)%n",
        entry.cycle(),
        entry.atMillis() / 1000,
        entry.mode(),
        decision.fromBytes() / MIB,
        entry.memory().totalBytes() / MIB,
        decision.moves()
            ? String.format(Locale.ROOT, "to %.1f MiB", decision.toBytes() / MIB)
            : "stays",
        decision.rule().meaning());
    if (explain) {
      explain(entry, out);
    }
  }

  private static void explain(HistoryEntry entry, PrintWriter out) {
    Decision decision = entry.decision();
    out.printf(
        Locale.ROOT,
        "  wanted %.1f MiB: an operation costs %.1f %s, %.1f less is expected%n",
        decision.wantedBytes() / MIB,
        decision.estimate().cost(),
        entry.unit(),
        decision.estimate().predictedGain());
    Decision.Outcome outcome = decision.lastMove();
    if (outcome != null) {
      out.printf(
          Locale.ROOT,
          "  the last move was to save %.1f and saved %.1f%n",
          outcome.predictedGain(),
          outcome.observedGain());
    }
    print(entry.inputs(), out);
    for (Map.Entry<String, Double> number :
        new TreeMap<>(decision.evidence().numbers()).entrySet()) {
      out.printf(Locale.ROOT, "  %s = %.4g%n", number.getKey(), number.getValue());
    }
    for (Decision.Point point : decision.evidence().curve()) {
      out.printf(Locale.ROOT, "  at %.1f MiB %.1f%n", point.writeBytes() / MIB, point.cost());
    }
  }

  private static void print(HistoryEntry.Inputs inputs, PrintWriter out) {
    HistoryEntry.Moved moved = inputs.moved();
    out.printf(
        Locale.ROOT,
        "  %,d operations, %,d bytes written, %,d flushed for memory, %,d for the log or as"
            + " it was asked for, %,d merged,"
            + " the log grew by %,d%n",
        inputs.operations(),
        moved.writtenBytes(),
        moved.flushedForMemoryBytes(),
        moved.flushedForLogBytes(),
        moved.mergedBytes(),
        moved.logBytes());
    for (HistoryEntry.TreeInputs tree : inputs.trees()) {
      out.printf(
          Locale.ROOT,
          "  tree '%s': %.1f %% of write memory, %,d bytes written, %,d flushed, %,d merged, last"
              + " level %,d%n",
          tree.name(),
          100 * tree.share(),
          tree.writtenBytes(),
          tree.flushedBytes(),
          tree.mergedBytes(),
          tree.lastLevelBytes());
    }
    inputs
        .reads()
        .forEach(
            (read, of) ->
                out.printf(
                    Locale.ROOT,
                    "  %s: %,d pins, %,d pages missed in %,d requests, a larger cache saves %,d%n",
                    read,
                    of.pins(),
                    of.missedPages(),
                    of.requests(),
                    of.savedPages()));
    CycleTimes times = inputs.times();
    out.printf(
        Locale.ROOT,
        "  the disk took %.3f s for what queries missed, %.3f s for what merges read, and %.3f s"
            + " for %,d bytes of tables%n",
        times.missNanos() / SECOND_NANOS,
        times.mergeReadNanos() / SECOND_NANOS,
        times.writeNanos() / SECOND_NANOS,
        times.writtenBytes());
    out.printf(
        Locale.ROOT,
        "  %,d requests for what queries missed ran beside flushes and merges, and took %.3f s%n",
        times.beside().requests(),
        times.beside().nanos() / SECOND_NANOS);
    out.printf(
        Locale.ROOT,
        "  %.0f %% of the processors were busy; flushes and merges took %.3f s of them%n",
        100 * times.processors().busyPart(),
        times.processors().workNanos() / SECOND_NANOS);
  }
}
