package org.loam.workbench.bench.latency;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.console.BlockDevice;
import org.loam.workbench.console.ProcessFile;
import org.loam.workbench.peer.Measured;
import org.loam.workbench.peer.Sample;

/**
 * What the engine, this process and the device have done so far. What is not known is absent.
 *
 * @param nanoTime when it was taken
 * @param gauges values of this moment
 * @param counters sums
 * @param l0ByTree L0 of each of several trees, see {@link Sample#l0ByTree}
 */
record Observation(
    long nanoTime,
    Map<String, Double> gauges,
    Map<String, Double> counters,
    List<Sample.L0> l0ByTree) {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final Path PROCESS_IO = Path.of("/proc/self/io");

  /** Of now. */
  static Observation now(Measured engine, Path directory) {
    // First: rates count from the same moment as the operations, which were taken just before.
    long nanoTime = System.nanoTime();
    Sample sample = engine.sample();
    Map<String, Double> counters = new LinkedHashMap<>(sample.counters());
    counters.put("cpuSeconds", SYSTEM.getProcessCpuTime() / 1e9);
    putKnown(counters, "processReadBytes", ProcessFile.number(PROCESS_IO, "read_bytes:"));
    putKnown(counters, "processWrittenBytes", ProcessFile.number(PROCESS_IO, "write_bytes:"));
    putKnown(counters, "deviceReadBytes", BlockDevice.readBytes(directory));
    putKnown(counters, "deviceWrittenBytes", BlockDevice.writtenBytes(directory));
    return new Observation(nanoTime, sample.gauges(), counters, sample.l0ByTree());
  }

  /** What counters grew by, per second; the rate of milliseconds is that of writers waiting. */
  Map<String, Double> ratesSince(Observation earlier) {
    double seconds = Math.max(1e-9, (nanoTime - earlier.nanoTime) / 1e9);
    Map<String, Double> rates = new LinkedHashMap<>();
    growthSince(earlier)
        .forEach((name, grown) -> rates.put(name + "PerSecond", Figures.rounded(grown / seconds)));
    return rates;
  }

  /** What counters grew by. */
  Map<String, Double> growthSince(Observation earlier) {
    Map<String, Double> growth = new LinkedHashMap<>();
    counters.forEach(
        (name, value) -> {
          Double before = earlier.counters.get(name);
          if (before != null) {
            growth.put(name, value - before);
          }
        });
    return growth;
  }

  private static void putKnown(Map<String, Double> counters, String name, long value) {
    if (value >= 0) {
      counters.put(name, (double) value);
    }
  }
}
