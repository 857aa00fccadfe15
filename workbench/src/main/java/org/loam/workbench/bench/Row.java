package org.loam.workbench.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * One measurement, and one element of the report.
 *
 * @param workload its name
 * @param engine the peer's name
 * @param threads clients
 * @param given the data and the memory
 * @param opsPerSecond operations of all clients in the measured window
 * @param cost processor time and bytes
 * @param latency of operations
 * @param ratio opsPerSecond of Loam divided by that of RocksDB with direct files; on Loam's rows
 */
record Row(
    @JsonProperty("workload") String workload,
    @JsonProperty("engine") String engine,
    @JsonProperty("threads") int threads,
    @JsonUnwrapped Given given,
    @JsonProperty("opsPerSecond") double opsPerSecond,
    @JsonUnwrapped Cost cost,
    @JsonUnwrapped Latency latency,
    @JsonProperty("ratio") @Nullable Double ratio) {

  /**
   * What an engine was given.
   *
   * @param records loaded
   * @param recordBytes key and value of one record
   * @param memoryBytes for the engine
   */
  record Given(
      @JsonProperty("records") long records,
      @JsonProperty("recordBytes") int recordBytes,
      @JsonProperty("memoryBytes") long memoryBytes) {
    static Given of(DataSize data) {
      return new Given(data.records(), data.recordBytes(), data.memoryBytes());
    }
  }

  /** What is compared: rows of one subject differ in engine and round only. */
  record Subject(String workload, int threads, Given given) {}

  Subject subject() {
    return new Subject(workload, threads, given);
  }

  Row withRatio(double newRatio) {
    return new Row(workload, engine, threads, given, opsPerSecond, cost, latency, newRatio);
  }
}
