package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * One measurement, and one element of the report.
 *
 * @param workload its name
 * @param engine the peer's name
 * @param threads clients
 * @param recordBytes key and value of one record
 * @param memoryBytes what the engine was given
 * @param opsPerSecond operations of all clients in the measured window
 * @param cpuMicrosPerOp processor time of the whole process, background included
 * @param writeAmplification bytes sent towards the disk, as the kernel counts (elsewhere than on
 *     Linux as the engine counts), per byte of key and value that clients wrote; null for workloads
 *     that write nothing
 * @param p50Micros median latency
 * @param p99Micros 99th percentile
 * @param p999Micros 99.9th percentile
 * @param ratio opsPerSecond of Loam divided by that of RocksDB with direct files; on Loam's rows
 */
record Row(
    @JsonProperty("workload") String workload,
    @JsonProperty("engine") String engine,
    @JsonProperty("threads") int threads,
    @JsonProperty("recordBytes") int recordBytes,
    @JsonProperty("memoryBytes") long memoryBytes,
    @JsonProperty("opsPerSecond") double opsPerSecond,
    @JsonProperty("cpuMicrosPerOp") double cpuMicrosPerOp,
    @JsonProperty("writeAmplification") @Nullable Double writeAmplification,
    @JsonProperty("p50Micros") double p50Micros,
    @JsonProperty("p99Micros") double p99Micros,
    @JsonProperty("p999Micros") double p999Micros,
    @JsonProperty("ratio") @Nullable Double ratio) {

  /** What is compared: rows of one subject differ in engine and round only. */
  record Subject(String workload, int threads, int recordBytes, long memoryBytes) {}

  Subject subject() {
    return new Subject(workload, threads, recordBytes, memoryBytes);
  }

  Row withRatio(double newRatio) {
    return new Row(
        workload,
        engine,
        threads,
        recordBytes,
        memoryBytes,
        opsPerSecond,
        cpuMicrosPerOp,
        writeAmplification,
        p50Micros,
        p99Micros,
        p999Micros,
        newRatio);
  }
}
