package org.loam.workbench.bench.secondary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.loam.workbench.bench.Client;
import org.loam.workbench.bench.Cost;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.bench.Latency;
import org.loam.workbench.bench.Phase;
import org.loam.workbench.bench.Timing;
import org.loam.workbench.bench.secondary.SecondaryRow.Subject;
import org.loam.workbench.bench.secondary.SecondaryRow.Throughput;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.LoamEngine;
import org.loam.workbench.workload.Values;

/** All work on one data set with one number of indexes, in a new database. */
final class SecondaryRound {
  private static final List<Integer> QUERY_RECORDS = List.of(1, 10, 100, 1000);

  /** The pages of the records that stay in memory take an eighth of it. */
  private static final int CACHED_FRACTION = 8;

  private static final long NOTABLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * What is common to all rounds.
   *
   * @param threads clients
   * @param timing of the phases
   * @param seed of all randomness
   */
  record Settings(int threads, Timing timing, long seed) {}

  private final DataSize data;
  private final int indexes;
  private final Settings settings;
  private final Values values;
  private final List<SecondaryRow> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  SecondaryRound(DataSize data, int indexes, Settings settings) {
    this.data = data;
    this.indexes = indexes;
    this.settings = settings;
    this.values = new Values(data.valueBytes());
  }

  List<SecondaryRow> rows() {
    return rows;
  }

  List<String> notes() {
    return notes;
  }

  /** The work to measure, in this order. */
  static List<Work> works(int indexes) {
    List<Work> works = new ArrayList<>(List.of(Work.LOAD, Work.GETS));
    if (indexes > 0) {
      QUERY_RECORDS.forEach(records -> works.add(Work.query(records)));
    }
    works.add(Work.REWRITE_CACHED);
    works.add(Work.UPDATE_CACHED);
    works.add(Work.UPDATE);
    return works;
  }

  /**
   * Measures everything.
   *
   * @param directory for the database, removed at the end
   * @param begins told of each piece of work before it
   * @param ended told after it
   * @throws org.loam.workbench.bench.WrongAnswerException if an answer was wrong
   */
  void run(Path directory, Consumer<Work> begins, Runnable ended) throws InterruptedException {
    try (IndexedRecords database = new IndexedRecords(directory, data.memoryBytes(), indexes)) {
      for (Work work : works(indexes)) {
        begins.accept(work);
        report(work, measure(database, work));
        ended.run();
      }
    }
    WorkDirectory.delete(directory);
  }

  private Phase.Outcome measure(IndexedRecords database, Work work) throws InterruptedException {
    Client.Factory clients =
        (number, random) ->
            switch (work.kind()) {
              case LOAD ->
                  writer(database, random, (writes, any) -> writes * settings.threads() + number);
              case REWRITE_CACHED ->
                  writer(database, random, (writes, any) -> any.nextLong(cachedRecords()))
                      .keeping();
              case UPDATE_CACHED ->
                  writer(database, random, (writes, any) -> any.nextLong(cachedRecords()));
              case UPDATE ->
                  writer(database, random, (writes, any) -> any.nextLong(data.records()));
              case GET ->
                  new GetClient(database.dataset(), values, data.records(), work.records(), random);
              case QUERY -> new QueryClient(database.dataset(), values, 0, work.records(), random);
            };
    Phase phase =
        new Phase(
            database,
            work.writes(),
            clients,
            settings.threads(),
            settings.seed(),
            settings.timing().quietMillis());
    return work.kind() == Work.Kind.LOAD
        ? phase.runCount(data.records())
        : phase.runFor(settings.timing().warmupMillis(), settings.timing().measureMillis());
  }

  private WriteClient writer(
      IndexedRecords database, SplittableRandom random, WriteClient.Choice choice) {
    return new WriteClient(database.dataset(), values, choice, random);
  }

  private long cachedRecords() {
    // After a merge each may lie in a page of its own.
    return Math.min(data.records(), data.memoryBytes() / CACHED_FRACTION / LoamEngine.PAGE_BYTES);
  }

  private void report(Work work, Phase.Outcome outcome) {
    String subject = work.name() + ", " + indexes + " indexes";
    if (!outcome.rested()) {
      notes.add(subject + ": still busy five minutes after the last operation");
    }
    Histogram latencies = outcome.window().latencies();
    if (latencies.getMaxValue() >= NOTABLE_NANOS) {
      notes.add(
          subject
              + ": an operation took "
              + latencies.getMaxValue() / 1_000_000
              + " ms"
              + outcome.longestWait().map(wait -> "; longest wait: " + wait).orElse(""));
    }
    double perSecond = outcome.window().opsPerSecond();
    rows.add(
        new SecondaryRow(
            new Subject(work.name(), indexes, settings.threads(), data),
            new Throughput(Figures.rounded(perSecond), Figures.rounded(perSecond * work.records())),
            Cost.of(outcome.charge(), outcome.charge().usage().writtenBytes(), data.recordBytes()),
            Latency.of(latencies),
            null,
            outcome.window().perSecond()));
  }
}
