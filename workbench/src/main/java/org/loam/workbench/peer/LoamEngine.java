package org.loam.workbench.peer;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.engine.Engine;
import org.loam.engine.report.VerifyReport;
import org.loam.scheduler.work.StallLog;

/** Loam, as a benchmark opens and measures it. */
public abstract class LoamEngine implements Measured, AutoCloseable {
  /** Seven records of 1 KiB to a page waste less than three, and a miss reads less than 16 KiB. */
  public static final int PAGE_BYTES = 8 << 10;

  /** Open until {@link #close}. */
  protected final Engine engine;

  /** Opens the database in a directory, or makes one. */
  protected LoamEngine(Path directory, EngineConfig config) {
    this.engine = Engine.open(directory, config);
  }

  /**
   * The configuration of a benchmark.
   *
   * @param settings that differ from it, by name
   * @throws org.loam.common.config.ConfigException if there is no such setting, or a value is not
   *     allowed
   */
  public static EngineConfig config(
      long memoryBytes, StoreSettings.Durability durability, Map<String, String> settings) {
    EngineConfigBuilder builder =
        EngineConfig.builder()
            .memoryTotalBytes(memoryBytes)
            .pageBytes(PAGE_BYTES)
            .durability(
                switch (durability) {
                  case PROCESS -> Durability.PROCESS;
                  case SYNC -> Durability.SYNC;
                });
    settings.forEach(builder::set);
    return builder.build();
  }

  /**
   * Reads everything and compares checksums, order and indexes.
   *
   * @throws IllegalStateException if something is wrong
   */
  public void verify() {
    VerifyReport report = engine.verify();
    if (report.findingCount() > 0) {
      throw new IllegalStateException("verify found " + report.findings());
    }
  }

  @Override
  public void flush() {
    engine.flush();
  }

  @Override
  public long bytesWritten() {
    return engine.statistics().writtenBytes();
  }

  @Override
  public Sample sample() {
    return LoamSample.of(engine.statistics());
  }

  @Override
  public Optional<String> longestWaitSince(long nanoTime) {
    return engine.statistics().stalls().recent().stream()
        .filter(stall -> stall.startNanos() - nanoTime >= 0)
        .max(Comparator.comparingLong(StallLog.Event::durationNanos))
        .map(stall -> stall.cause() + ", " + stall.durationNanos() / 1_000_000 + " ms");
  }

  @Override
  public void close() {
    engine.close();
  }
}
