package org.loam.workbench.bench.latency;

import org.jspecify.annotations.Nullable;
import org.loam.workbench.peer.Measured;
import org.loam.workbench.peer.Sample;

/** Looks at the write memory of an engine while records are loaded. For one thread. */
final class LoadMemoryWatch {
  private final Measured engine;
  private double mostBytes;

  LoadMemoryWatch(Measured engine) {
    this.engine = engine;
  }

  /** Looks once. */
  void look() {
    see(engine.sample());
  }

  private void see(Sample sample) {
    Double usedBytes = sample.gauges().get(Sample.WRITE_MEMORY_USED_BYTES);
    mostBytes = usedBytes == null ? mostBytes : Math.max(mostBytes, usedBytes);
  }

  /**
   * Looks for the last time: what is in memory, or null if some of it was flushed or is unknown.
   */
  LatencyResult.@Nullable LoadMemory end() {
    Sample last = engine.sample();
    see(last);
    Double endBytes = last.gauges().get(Sample.WRITE_MEMORY_USED_BYTES);
    boolean isWhole = last.counters().getOrDefault(Sample.FLUSHED_BYTES, 0.0) == 0;
    return endBytes != null && isWhole ? new LatencyResult.LoadMemory(endBytes, mostBytes) : null;
  }
}
