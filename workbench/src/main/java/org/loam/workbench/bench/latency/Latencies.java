package org.loam.workbench.bench.latency;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Latencies of all clients of a phase, by kind, in nanoseconds. Each client writes into its own
 * {@link Recorder}; the sampler takes what has come since its last look, without stopping a client.
 */
final class Latencies {
  private static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);

  /** Three digits: a value is at most a thousandth too large. */
  private static final int DIGITS = 3;

  /** What is told apart. */
  enum Kind {
    /** A write, from the moment at which it should have begun. */
    WRITE,
    /** A write, from the moment at which a client took it up. */
    WRITE_PROCESSING,
    /** A read, from the moment at which it should have begun. */
    READ,
    /** A read, from the moment at which a client took it up. */
    READ_PROCESSING
  }

  private final List<Recorder> recorders = new ArrayList<>();
  private final Histograms totals = new Histograms();

  /** One for each client. */
  Latencies(int clients) {
    for (int i = 0; i < clients; i++) {
      recorders.add(new Recorder());
    }
  }

  /** That of a client. */
  Recorder recorder(int client) {
    return recorders.get(client);
  }

  /** What came since the last call, added to the totals; for one thread. */
  Histograms takeInterval() {
    Histograms interval = new Histograms();
    for (Recorder recorder : recorders) {
      recorder.addTo(interval);
    }
    totals.add(interval);
    return interval;
  }

  /** All that was taken. */
  Histogram total(Kind kind) {
    return totals.of(kind);
  }

  /** Adds a latency of an operation that no client came to; for the thread of the sampler. */
  void addUnfinished(Kind kind, long nanos) {
    totals.of(kind).recordValue(Math.min(nanos, MAX_NANOS));
  }

  /** One for each kind. */
  static final class Histograms {
    private final Map<Kind, Histogram> byKind = new EnumMap<>(Kind.class);

    Histograms() {
      for (Kind kind : Kind.values()) {
        byKind.put(kind, new Histogram(MAX_NANOS, DIGITS));
      }
    }

    Histogram of(Kind kind) {
      return Objects.requireNonNull(byKind.get(kind));
    }

    void add(Histograms others) {
      others.byKind.forEach(this::add);
    }

    /** An addition walks through 30,000 counts, and most kinds have none. */
    private void add(Kind kind, Histogram counts) {
      if (counts.getTotalCount() > 0) {
        of(kind).add(counts);
      }
    }
  }

  /** The latencies of one client. */
  static final class Recorder {
    private final Map<Kind, SingleWriterRecorder> writers = new EnumMap<>(Kind.class);

    /** Used again by the sampler. */
    private final Map<Kind, Histogram> recycled = new EnumMap<>(Kind.class);

    private Recorder() {
      for (Kind kind : Kind.values()) {
        writers.put(kind, new SingleWriterRecorder(MAX_NANOS, DIGITS));
      }
    }

    /**
     * An operation is over.
     *
     * @param latencyNanos since it should have begun
     * @param processingNanos since a client took it up
     */
    void record(boolean write, long latencyNanos, long processingNanos) {
      record(write ? Kind.WRITE : Kind.READ, latencyNanos);
      record(write ? Kind.WRITE_PROCESSING : Kind.READ_PROCESSING, processingNanos);
    }

    /** An operation of a client without pause is over; it has no moment when it should begin. */
    void record(boolean write, long processingNanos) {
      record(write ? Kind.WRITE_PROCESSING : Kind.READ_PROCESSING, processingNanos);
    }

    private void record(Kind kind, long nanos) {
      Objects.requireNonNull(writers.get(kind))
          .recordValue(Math.max(0, Math.min(nanos, MAX_NANOS)));
    }

    private void addTo(Histograms interval) {
      writers.forEach(
          (kind, writer) -> {
            Histogram taken = writer.getIntervalHistogram(recycled.get(kind));
            interval.add(kind, taken);
            recycled.put(kind, taken);
          });
    }
  }
}
