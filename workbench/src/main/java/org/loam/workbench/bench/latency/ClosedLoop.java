package org.loam.workbench.bench.latency;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.loam.workbench.bench.EngineMessage;
import org.loam.workbench.bench.latency.Latencies.Kind;
import org.loam.workbench.peer.Measured;
import org.loam.workbench.peer.Sample;

/** The testing phase: clients without pause, then the time that merges need for what is left. */
final class ClosedLoop {
  private final LatencySpec spec;
  private final Measured engine;
  private final IntFunction<? extends LoopClient> clients;
  private final Consumer<EngineMessage<LatencyResult>> listener;
  private final Latencies latencies;
  private volatile boolean ending;

  /**
   * @param clients makes that with a number
   */
  ClosedLoop(
      LatencySpec spec,
      Measured engine,
      IntFunction<? extends LoopClient> clients,
      Consumer<EngineMessage<LatencyResult>> listener) {
    this.spec = spec;
    this.engine = engine;
    this.clients = clients;
    this.listener = listener;
    this.latencies = new Latencies(spec.traffic().threads());
  }

  TestingResult run() throws InterruptedException {
    Path directory = Path.of(spec.subject().directory());
    Sampler sampler = new Sampler(engine, directory, latencies);
    Workers workers = new Workers(spec.traffic().threads(), number -> all -> client(number, all));
    long stepNanos = Duration.ofMillis(spec.intervalMillis()).toNanos();
    long from = sampler.first().nanoTime();
    long until = from + Duration.ofMillis(spec.phaseMillis()).toNanos();
    long warmUntil = from + (until - from) / spec.phases().warmupParts();
    Observation windowFirst = sampler.first();
    long doneBefore = 0;
    List<Double> owed = new ArrayList<>();
    for (long next = from + stepNanos; !workers.haveEnded(); next += stepNanos) {
      workers.sleepUntil(next);
      if (!sampler.isDue(stepNanos / 2)) {
        continue;
      }
      sampler.sample(spec.traffic().workload(), -1);
      Observation last = sampler.last();
      if (last.nanoTime() - warmUntil < 0) {
        owed.clear();
        windowFirst = last;
        doneBefore = sampler.done();
      }
      owed.add(last.gauges().getOrDefault(Sample.OWED_BYTES, Double.NaN));
      if (last.nanoTime() - until >= 0) {
        break;
      }
    }
    Observation windowLast = sampler.last();
    long operations = sampler.done() - doneBefore;
    ending = true;
    workers.join();
    double seconds = (windowLast.nanoTime() - windowFirst.nanoTime()) / 1e9;
    int tenth = Math.max(1, owed.size() / 10);
    double atStart = mean(owed.subList(0, tenth));
    double atEnd = mean(owed.subList(owed.size() - tenth, owed.size()));
    boolean isKnown = !Double.isNaN(atStart) && !Double.isNaN(atEnd);
    if (!isKnown) {
      note("the engine does not say what merges owe, so its maximum may not be one that it holds");
    }
    DebtPayment.Outcome paid = isKnown ? pay(atStart, atEnd) : DebtPayment.Outcome.NONE;
    Observation last = paid.seconds() == 0 ? windowLast : Observation.now(engine, directory);
    Map<String, Double> totals = last.growthSince(windowFirst);
    double paySeconds =
        paid.seconds()
            + DebtNeutral.unpaidSeconds(
                paid.unpaidBytes(),
                totals.getOrDefault(Sample.MERGED_BYTES, 0.0),
                seconds + paid.seconds());
    return new TestingResult(
        operations,
        seconds,
        isKnown ? new TestingResult.Debt(atStart, atEnd, paySeconds, paid.unpaidBytes()) : null,
        DebtNeutral.maximum(operations, seconds, paySeconds),
        Percentiles.of(latencies.total(Kind.WRITE_PROCESSING)),
        totals,
        sampler.series());
  }

  private void client(int number, Workers all) {
    Latencies.Recorder recorder = latencies.recorder(number);
    try (LoopClient client = clients.apply(number)) {
      long start = System.nanoTime();
      while (!ending && !all.hasFailed()) {
        boolean wrote = client.step();
        long end = System.nanoTime();
        recorder.record(wrote, end - start);
        start = end;
      }
    }
  }

  /** Waits until nothing is owed beyond what was owed at the beginning of the window. */
  private DebtPayment.Outcome pay(double atStart, double atEnd) {
    return DebtNeutral.isNeutral(atStart, atEnd)
        ? DebtPayment.Outcome.NONE
        : new DebtPayment(engine::sample, System::nanoTime, LockSupport::parkNanos, this::note)
            .await(atStart);
  }

  private void note(String note) {
    listener.accept(EngineMessage.noted(note));
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }
}
