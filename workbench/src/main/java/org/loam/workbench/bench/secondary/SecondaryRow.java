package org.loam.workbench.bench.secondary;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.Cost;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Latency;

/**
 * One measurement, and one element of the report.
 *
 * @param subject what was measured
 * @param throughput of all clients in the measured window
 * @param cost processor time and bytes
 * @param latency of operations
 * @param ratio recordsPerSecond, for writes divided by that without indexes, for queries by that of
 *     gets one by one from the same dataset; null where there is nothing to compare with
 * @param perSecond operations in each second of the measured window
 */
record SecondaryRow(
    @JsonUnwrapped Subject subject,
    @JsonUnwrapped Throughput throughput,
    @JsonUnwrapped Cost cost,
    @JsonUnwrapped Latency latency,
    @JsonProperty("ratio") @Nullable Double ratio,
    @JsonProperty("perSecond") List<Long> perSecond) {

  /**
   * What rows of several rounds have in common.
   *
   * @param workload its name
   * @param indexes that the dataset has
   * @param threads clients
   * @param data the records
   */
  record Subject(
      @JsonProperty("workload") String workload,
      @JsonProperty("indexes") int indexes,
      @JsonProperty("threads") int threads,
      @JsonProperty("data") DataSize data) {
    /** Another workload with as many indexes. */
    Subject of(Work work) {
      return new Subject(work.name(), indexes, threads, data);
    }

    /** The same workload without indexes. */
    Subject withoutIndexes() {
      return new Subject(workload, 0, threads, data);
    }
  }

  /**
   * How much was done.
   *
   * @param opsPerSecond operations
   * @param recordsPerSecond records that they wrote or read
   */
  record Throughput(
      @JsonProperty("opsPerSecond") double opsPerSecond,
      @JsonProperty("recordsPerSecond") double recordsPerSecond) {}

  /** This row, held against another. */
  SecondaryRow against(SecondaryRow base) {
    double times = throughput.recordsPerSecond / base.throughput.recordsPerSecond;
    return new SecondaryRow(
        subject, throughput, cost, latency, Math.round(times * 1000) / 1000.0, perSecond);
  }
}
