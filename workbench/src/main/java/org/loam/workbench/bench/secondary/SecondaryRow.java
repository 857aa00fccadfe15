package org.loam.workbench.bench.secondary;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.DataSize;

/**
 * One measurement, and one element of the report.
 *
 * @param workload its name
 * @param indexes that the dataset has
 * @param threads clients
 * @param data the records
 * @param opsPerSecond operations of all clients in the measured window
 * @param recordsPerSecond records that they wrote or read
 * @param cpuMicrosPerOp processor time of the whole process, background included
 * @param writeAmplification bytes sent towards the disk per byte of key and record written; null
 *     where nothing is written
 * @param p50Micros median latency of an operation
 * @param p99Micros 99th percentile
 * @param p999Micros 99.9th percentile
 * @param ratio recordsPerSecond, for writes divided by that without indexes, for queries by that of
 *     gets one by one from the same dataset; null where there is nothing to compare with
 * @param perSecond operations in each second of the measured window
 */
record SecondaryRow(
    @JsonProperty("workload") String workload,
    @JsonProperty("indexes") int indexes,
    @JsonProperty("threads") int threads,
    @JsonProperty("data") DataSize data,
    @JsonProperty("opsPerSecond") double opsPerSecond,
    @JsonProperty("recordsPerSecond") double recordsPerSecond,
    @JsonProperty("cpuMicrosPerOp") double cpuMicrosPerOp,
    @JsonProperty("writeAmplification") @Nullable Double writeAmplification,
    @JsonProperty("p50Micros") double p50Micros,
    @JsonProperty("p99Micros") double p99Micros,
    @JsonProperty("p999Micros") double p999Micros,
    @JsonProperty("ratio") @Nullable Double ratio,
    @JsonProperty("perSecond") List<Long> perSecond) {

  /** What rows of several rounds have in common. */
  record Subject(String workload, int indexes, DataSize data) {}

  Subject subject() {
    return new Subject(workload, indexes, data);
  }

  /** This row, held against another. */
  SecondaryRow against(SecondaryRow base) {
    return new SecondaryRow(
        workload,
        indexes,
        threads,
        data,
        opsPerSecond,
        recordsPerSecond,
        cpuMicrosPerOp,
        writeAmplification,
        p50Micros,
        p99Micros,
        p999Micros,
        Math.round(recordsPerSecond / base.recordsPerSecond * 1000) / 1000.0,
        perSecond);
  }
}
