package org.loam.workbench.bench.latency;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.loam.workbench.peer.Sample;

/**
 * The wait for merges while no client is at work: it ends when they owe no more than before, when
 * they have come to rest, or after ten minutes. For one thread.
 */
final class DebtPayment {
  private static final long LOOK_NANOS = 20_000_000;
  private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();

  private final Supplier<Sample> samples;
  private final LongSupplier nanoTime;
  private final LongConsumer pause;
  private final Consumer<String> notes;

  /**
   * How the wait ended.
   *
   * @param seconds that merges worked
   * @param unpaidBytes that merges still owe above what is allowed
   */
  record Outcome(double seconds, double unpaidBytes) {
    /** There was nothing to wait for. */
    static final Outcome NONE = new Outcome(0, 0);
  }

  /**
   * @param samples what the engine says of itself
   * @param nanoTime the clock
   * @param pause waits for about as many nanoseconds
   * @param notes takes what a reader should know
   */
  DebtPayment(
      Supplier<Sample> samples, LongSupplier nanoTime, LongConsumer pause, Consumer<String> notes) {
    this.samples = samples;
    this.nanoTime = nanoTime;
    this.pause = pause;
    this.notes = notes;
  }

  /**
   * Waits for the end.
   *
   * @param owedAtStartBytes the debt to come back to
   */
  Outcome await(double owedAtStartBytes) {
    long from = nanoTime.getAsLong();
    long lastChange = from;
    Map<String, Double> before = Map.of();
    while (true) {
      Sample sample = samples.get();
      long now = nanoTime.getAsLong();
      Double owed = sample.gauges().get(Sample.OWED_BYTES);
      if (owed == null || DebtNeutral.isNeutral(owedAtStartBytes, owed)) {
        return new Outcome((now - from) / 1e9, 0);
      }
      double unpaidBytes = DebtNeutral.unpaidBytes(owedAtStartBytes, owed);
      boolean works = sample.gauges().getOrDefault(Sample.OPEN_MERGES, 0.0) > 0;
      if (works || !sample.counters().equals(before)) {
        lastChange = now;
        before = sample.counters();
      }
      if (now - lastChange > QUIET_NANOS) {
        notes.accept("merges came to rest with more left than at the beginning of the window");
        return new Outcome((lastChange - from) / 1e9, unpaidBytes);
      }
      if (now - from > LONGEST_NANOS) {
        notes.accept("merges did not pay the debt of the testing phase in ten minutes");
        return new Outcome((now - from) / 1e9, unpaidBytes);
      }
      pause.accept(LOOK_NANOS);
    }
  }
}
