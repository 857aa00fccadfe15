package org.loam.workbench.bench.asterixdb;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.bench.Figures;

/**
 * One measurement, and one element of the report.
 *
 * @param workload its name
 * @param storage that kept the data
 * @param opsPerSecond records of a workload that writes, else queries
 * @param p50Millis median latency of a query; null for what writes
 * @param p99Millis 99th percentile
 * @param nodeCpuMicrosPerOp processor time of both node controllers
 * @param controllerCpuMicrosPerOp processor time of the cluster controller
 * @param writtenBytesPerOp that the node controllers sent towards the disk; null for queries
 * @param ratio operations per second by those on stock storage; null on rows of stock storage
 */
record VersusRow(
    @JsonProperty("workload") String workload,
    @JsonProperty("storage") Storage storage,
    @JsonProperty("opsPerSecond") double opsPerSecond,
    @JsonProperty("p50Millis") @Nullable Double p50Millis,
    @JsonProperty("p99Millis") @Nullable Double p99Millis,
    @JsonProperty("nodeCpuMicrosPerOp") double nodeCpuMicrosPerOp,
    @JsonProperty("controllerCpuMicrosPerOp") double controllerCpuMicrosPerOp,
    @JsonProperty("writtenBytesPerOp") @Nullable Double writtenBytesPerOp,
    @JsonProperty("ratio") @Nullable Double ratio) {

  /** Of a workload that writes records. */
  static VersusRow ofWrites(
      String workload, Storage storage, long records, long nanos, NodeUsage usage) {
    return new VersusRow(
        workload,
        storage,
        Figures.rounded(records * 1e9 / nanos),
        null,
        null,
        Figures.rounded(usage.nodeNanos() / 1e3 / records),
        Figures.rounded(usage.controllerNanos() / 1e3 / records),
        Figures.rounded(usage.writtenBytes() / (double) records),
        null);
  }

  /** Of a workload that asks queries. */
  static VersusRow ofQueries(
      String workload, Storage storage, QueryClients.Result result, NodeUsage usage) {
    return new VersusRow(
        workload,
        storage,
        Figures.rounded(result.opsPerSecond()),
        Figures.rounded(result.millis(0.5)),
        Figures.rounded(result.millis(0.99)),
        Figures.rounded(usage.nodeNanos() / 1e3 / result.all()),
        Figures.rounded(usage.controllerNanos() / 1e3 / result.all()),
        null,
        null);
  }

  VersusRow against(VersusRow stock) {
    return new VersusRow(
        workload,
        storage,
        opsPerSecond,
        p50Millis,
        p99Millis,
        nodeCpuMicrosPerOp,
        controllerCpuMicrosPerOp,
        writtenBytesPerOp,
        Figures.rounded(opsPerSecond / stock.opsPerSecond));
  }
}
