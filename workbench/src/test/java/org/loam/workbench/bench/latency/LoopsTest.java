package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.EngineMessage;
import org.loam.workbench.bench.InsertLog;
import org.loam.workbench.bench.Population;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencySpec.Traffic;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.peer.Peer;
import org.loam.workbench.peer.Sample;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Workload;

/** The two phases on a store that does what the test says. */
class LoopsTest {
  @TempDir Path directory;

  private LatencySpec spec(long phaseMillis) {
    return new LatencySpec(
        new Subject(Peer.LOAM, directory.toString(), Map.of()),
        new DataSize(1_000, 100, 64L << 20),
        Trees.ONE,
        Durability.PROCESS,
        new Traffic(Workload.OVERWRITE, ArrivalPattern.CONSTANT, 0.95, 1),
        phaseMillis,
        42);
  }

  private BiFunction<Workload, Integer, TreesClient> clients(
      StallingStore store, LatencySpec spec) {
    Population population = Population.of(1_000, 100);
    List<InsertLog> inserts = List.of(new InsertLog(1_000, 1));
    return (workload, number) ->
        new TreesClient(spec, workload, store, population, inserts, number);
  }

  private ClosedLoop closed(
      StallingStore store, LatencySpec spec, Consumer<EngineMessage<LatencyResult>> messages) {
    IntFunction<TreesClient> overwrites =
        number -> clients(store, spec).apply(Workload.OVERWRITE, number);
    return new ClosedLoop(spec, store, overwrites, messages);
  }

  /**
   * A store that stops for 400 ms makes one write slow, and 400 writes late that come meanwhile.
   */
  @Test
  void writesThatArriveDuringAStallWaitInTheWriteLatencyOnly() throws InterruptedException {
    LatencySpec spec = spec(2_000);
    StallingStore store = new StallingStore(500, 400_000_000);
    RunningResult result = new OpenLoop(spec, store, clients(store, spec), 1_000).run();
    assertThat(result.counts().offered()).isEqualTo(2_000);
    assertThat(result.counts().done()).isEqualTo(2_000);
    assertThat(result.counts().unfinished()).isZero();
    Percentiles write = Objects.requireNonNull(result.latencies().write());
    Percentiles processing = Objects.requireNonNull(result.latencies().writeProcessing());
    assertThat(write.count()).isEqualTo(2_000);
    // Of 2,000 writes, 400 had to wait 0 to 400 ms: the slowest tenth at least 200 ms.
    assertThat(write.p90Micros()).isGreaterThan(150_000);
    assertThat(write.maxMicros()).isGreaterThan(390_000);
    assertThat(processing.p99Micros()).isLessThan(150_000);
    assertThat(processing.maxMicros()).isGreaterThan(390_000);
    assertThat(result.latencies().read()).isNull();
    double offered =
        Objects.requireNonNull(result.series().columns().get("offeredPerSecond")).stream()
            .mapToDouble(Objects::requireNonNull)
            .max()
            .orElseThrow();
    assertThat(offered).isPositive();
  }

  /** 600 writes in the first second, then 600 operations of which one in twenty writes. */
  @Test
  void theWorkloadIsThatOfTheMomentAtWhichAnOperationIsDue() throws InterruptedException {
    LatencySpec spec = spec(2_000);
    LatencySpec shifting =
        spec.with(
            new Traffic(Workload.OVERWRITE, ArrivalPattern.CONSTANT, 0.95, 1, null, null, null, 1));
    StallingStore store = new StallingStore(0, 0);
    fill(store);
    RunningResult result = new OpenLoop(shifting, store, clients(store, shifting), 600).run();
    Percentiles read = Objects.requireNonNull(result.latencies().read());
    assertThat(read.count()).isBetween(540L, 599L);
    assertThat(result.moves().parts())
        .extracting(Moves.Part::workload)
        .containsExactly("overwrite", "ycsb-b");
  }

  /** The tenth write takes longer than the phase and the time after it: the rest is never begun. */
  @Test
  void whatIsNotBegunCountsAsReadsAndWritesOfTheMix() throws InterruptedException {
    LatencySpec mixed =
        spec(500).with(new Traffic(Workload.YCSB_A, ArrivalPattern.CONSTANT, 0.95, 1));
    StallingStore store = new StallingStore(1_010, 1_500_000_000);
    fill(store);
    RunningResult result =
        new OpenLoop(mixed, store, clients(store, mixed), 1_000, 500_000_000).run();
    long unfinished = result.counts().unfinished();
    assertThat(unfinished).isPositive();
    Percentiles write = Objects.requireNonNull(result.latencies().write());
    Percentiles read = Objects.requireNonNull(result.latencies().read());
    assertThat(write.count()).isEqualTo(10 + unfinished / 2);
    assertThat(read.count()).isEqualTo(result.counts().offered() - write.count());
    assertThat(read.maxMicros()).isGreaterThan(1_000_000);
  }

  private static double leastSeconds(Series series) {
    double least = Double.MAX_VALUE;
    for (int i = 1; i < series.seconds().size(); i++) {
      least = Math.min(least, series.seconds().get(i) - series.seconds().get(i - 1));
    }
    return least;
  }

  /** A point is due every 100 ms; the engine takes three and a half of them to answer once. */
  @Test
  void noPointOfTheSeriesStandsForAnInstant() throws InterruptedException {
    LatencySpec spec = spec(1_500);
    StallingStore store = new StallingStore(0, 0).answeringLate(5, 350_000_000);
    RunningResult running = new OpenLoop(spec, store, clients(store, spec), 1_000).run();
    assertThat(running.series().seconds()).hasSizeGreaterThan(5);
    assertThat(leastSeconds(running.series())).isGreaterThan(0.045);

    StallingStore other = new StallingStore(0, 0).answeringLate(5, 350_000_000);
    TestingResult testing = closed(other, spec, message -> {}).run();
    assertThat(testing.series().seconds()).hasSizeGreaterThan(5);
    assertThat(leastSeconds(testing.series())).isGreaterThan(0.045);
  }

  private static void fill(StallingStore store) {
    Population population = Population.of(1_000, 100);
    byte[] key = Keys.newBuffer();
    byte[] value = new byte[100];
    try (Store.Session session = store.session()) {
      for (int i = 0; i < 1_000; i++) {
        Keys.write(Keys.identity(i), key);
        population.values().write(Keys.identity(i), 1, value);
        session.put(key, value);
      }
    }
  }

  @Test
  void theMaximumIsLoweredByTheTimeThatTheDebtNeeds() throws InterruptedException {
    LatencySpec spec = spec(800);
    StallingStore first = new StallingStore(0, 0);
    TestingResult unknown = closed(first, spec, message -> {}).run();
    assertThat(unknown.debt()).isNull();
    assertThat(unknown.maxOpsPerSecond()).isEqualTo(unknown.opsPerSecond());

    StallingStore store = new StallingStore(0, 0).owing();
    List<EngineMessage<LatencyResult>> messages = new ArrayList<>();
    TestingResult result = closed(store, spec, messages::add).run();
    TestingResult.Debt debt = Objects.requireNonNull(result.debt());
    assertThat(debt.owedAtStartBytes()).isPositive();
    assertThat(debt.owedAtEndBytes()).isGreaterThan(debt.owedAtStartBytes() * 1.05);
    assertThat(debt.paySeconds()).isPositive();
    assertThat(result.maxOpsPerSecond())
        .isEqualTo(result.operations() / (result.seconds() + debt.paySeconds()))
        .isLessThan(result.opsPerSecond());
    assertThat(result.totals().get(Sample.MERGED_BYTES))
        .as("what was merged to pay the debt")
        .isGreaterThan(debt.owedAtEndBytes() - DebtNeutral.allowedBytes(debt.owedAtStartBytes()));
    assertThat(messages).isEmpty();
  }

  /** Merges end as soon as no client is at work: none of the debt is paid, and all of it counts. */
  @Test
  void whatMergesLeaveOfTheDebtCountsLikeWhatTheyPay() throws InterruptedException {
    LatencySpec spec = spec(800);
    StallingStore store = new StallingStore(0, 0).owing().neverPaying();
    List<EngineMessage<LatencyResult>> messages = new ArrayList<>();
    TestingResult result = closed(store, spec, messages::add).run();
    TestingResult.Debt debt = Objects.requireNonNull(result.debt());
    assertThat(debt.unpaidBytes())
        .isGreaterThanOrEqualTo(
            debt.owedAtEndBytes() - DebtNeutral.allowedBytes(debt.owedAtStartBytes()));
    double mergedBytes = result.totals().get(Sample.MERGED_BYTES);
    assertThat(debt.paySeconds())
        .as("at the rate of the window")
        .isPositive()
        .isGreaterThanOrEqualTo(
            DebtNeutral.unpaidSeconds(debt.unpaidBytes(), mergedBytes, result.seconds()));
    assertThat(result.maxOpsPerSecond())
        .isEqualTo(result.operations() / (result.seconds() + debt.paySeconds()));
    assertThat(messages).hasSize(1);
    assertThat(messages.get(0).note()).contains("came to rest with more left");
  }

  @Test
  void aStoreWithoutAnswersAboutDebtIsNoted() throws InterruptedException {
    LatencySpec spec = spec(300);
    StallingStore store = new StallingStore(0, 0);
    List<EngineMessage<LatencyResult>> messages = new ArrayList<>();
    closed(store, spec, messages::add).run();
    assertThat(messages).hasSize(1);
    assertThat(messages.get(0).note()).contains("does not say what merges owe");
  }
}
