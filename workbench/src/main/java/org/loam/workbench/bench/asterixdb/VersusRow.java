package org.loam.workbench.bench.asterixdb;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.asterixdb.cluster.Storage;
import org.loam.workbench.bench.Figures;

/**
 * One measurement, and one element of the report.
 *
 * @param workload its name
 * @param storage that kept the data
 * @param opsPerSecond records of a workload that writes, else queries or stops of nodes
 * @param latency of queries or stops
 * @param cost of operations
 * @param ratio operations per second by those on stock storage; null on rows of stock storage
 */
record VersusRow(
    @JsonProperty("workload") String workload,
    @JsonProperty("storage") Storage storage,
    @JsonProperty("opsPerSecond") double opsPerSecond,
    @JsonUnwrapped Latency latency,
    @JsonUnwrapped Cost cost,
    @JsonProperty("ratio") @Nullable Double ratio) {

  /**
   * How long queries or stops took; nulls for what writes.
   *
   * @param p50Millis median latency
   * @param p99Millis 99th percentile
   */
  record Latency(
      @JsonProperty("p50Millis") @Nullable Double p50Millis,
      @JsonProperty("p99Millis") @Nullable Double p99Millis) {
    static final Latency NONE = new Latency(null, null);

    static Latency of(QueryClients.Result result) {
      return new Latency(Figures.rounded(result.millis(0.5)), Figures.rounded(result.millis(0.99)));
    }
  }

  /**
   * What operations cost.
   *
   * @param nodeCpuMicrosPerOp processor time of both node controllers; null for stops
   * @param controllerCpuMicrosPerOp processor time of the cluster controller; null for stops
   * @param writtenBytesPerOp that the node controllers sent towards the disk; null for queries, and
   *     where the kernel does not say
   * @param diskBytesPerOp that the dataset and its indexes take in files afterwards; null where a
   *     part of them is in memory
   */
  record Cost(
      @JsonProperty("nodeCpuMicrosPerOp") @Nullable Double nodeCpuMicrosPerOp,
      @JsonProperty("controllerCpuMicrosPerOp") @Nullable Double controllerCpuMicrosPerOp,
      @JsonProperty("writtenBytesPerOp") @Nullable Double writtenBytesPerOp,
      @JsonProperty("diskBytesPerOp") @Nullable Double diskBytesPerOp) {
    static final Cost UNKNOWN = new Cost(null, null, null, null);

    static Cost of(NodeUsage usage, long operations, boolean writes) {
      boolean isWrittenKnown = writes && usage.writtenBytes() >= 0;
      return new Cost(
          Figures.rounded(usage.nodeNanos() / 1e3 / operations),
          Figures.rounded(usage.controllerNanos() / 1e3 / operations),
          isWrittenKnown ? Figures.rounded(usage.writtenBytes() / (double) operations) : null,
          null);
    }

    private Cost onDisk(double bytesPerOp) {
      return new Cost(
          nodeCpuMicrosPerOp,
          controllerCpuMicrosPerOp,
          writtenBytesPerOp,
          Figures.rounded(bytesPerOp));
    }
  }

  /** Of a workload that writes records. */
  static VersusRow ofWrites(
      String workload, Storage storage, long records, long nanos, NodeUsage usage) {
    double opsPerSecond = Figures.rounded(records * 1e9 / nanos);
    Cost cost = Cost.of(usage, records, true);
    return new VersusRow(workload, storage, opsPerSecond, Latency.NONE, cost, null);
  }

  /** Of a workload that asks queries. */
  static VersusRow ofQueries(
      String workload, Storage storage, QueryClients.Result result, NodeUsage usage) {
    return new VersusRow(
        workload,
        storage,
        Figures.rounded(result.opsPerSecond()),
        Latency.of(result),
        Cost.of(usage, result.all(), false),
        null);
  }

  /** Of nodes that were stopped: what this cost has ended with their processes. */
  static VersusRow ofStops(String workload, Storage storage, QueryClients.Result result) {
    double opsPerSecond = Figures.rounded(result.opsPerSecond());
    return new VersusRow(workload, storage, opsPerSecond, Latency.of(result), Cost.UNKNOWN, null);
  }

  /** The same with what a record takes in files. */
  VersusRow onDisk(double bytesPerOp) {
    return new VersusRow(workload, storage, opsPerSecond, latency, cost.onDisk(bytesPerOp), ratio);
  }

  VersusRow against(VersusRow stock) {
    double times = Figures.rounded(opsPerSecond / stock.opsPerSecond);
    return new VersusRow(workload, storage, opsPerSecond, latency, cost, times);
  }
}
