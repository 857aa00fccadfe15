package org.loam.workbench.bench.tpcc;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.bench.Figures;
import org.loam.workbench.bench.Latency;
import org.loam.workbench.bench.Phase;

/**
 * One measurement, and one element of the report.
 *
 * @param engine its name
 * @param throughput of all terminals in the measured window
 * @param cost of a transaction, with what the engine does for it until it has come to rest
 * @param latency of all transactions
 * @param transactions the same for each kind, by name
 * @param rolledBack new orders that asked for an item that does not exist, since the load
 * @param perSecond transactions in each second of the measured window
 * @param ratio transactionsPerSecond of Loam divided by that of RocksDB; on Loam's rows
 */
public record TpccRow(
    @JsonProperty("engine") String engine,
    @JsonUnwrapped Throughput throughput,
    @JsonUnwrapped TransactionCost cost,
    @JsonUnwrapped Latency latency,
    @JsonProperty("transactions") Map<String, KindRow> transactions,
    @JsonProperty("rolledBack") long rolledBack,
    @JsonProperty("perSecond") List<Long> perSecond,
    @JsonProperty("ratio") @Nullable Double ratio) {
  /**
   * How much was done.
   *
   * @param transactionsPerSecond of all kinds
   * @param newOrdersPerMinute of those, new orders, with the few that were rolled back
   */
  public record Throughput(
      @JsonProperty("transactionsPerSecond") double transactionsPerSecond,
      @JsonProperty("newOrdersPerMinute") double newOrdersPerMinute) {}

  /**
   * What a transaction costs.
   *
   * @param cpuMicros processor time of the whole process
   * @param writtenBytes sent towards the disk
   * @param readBytes fetched from the disk; null where the kernel does not say
   */
  public record TransactionCost(
      @JsonProperty("cpuMicrosPerTransaction") double cpuMicros,
      @JsonProperty("writtenBytesPerTransaction") double writtenBytes,
      @JsonProperty("readBytesPerTransaction") @Nullable Double readBytes) {
    static TransactionCost of(Phase.Charge charge) {
      double transactions = Math.max(1, charge.operations());
      long read = charge.usage().readBytes();
      return new TransactionCost(
          Figures.rounded(charge.usage().cpuNanos() / 1e3 / transactions),
          Figures.rounded(charge.usage().writtenBytes() / transactions),
          read < 0 ? null : Figures.rounded(read / transactions));
    }
  }

  /**
   * One kind of transaction.
   *
   * @param count in the measured window
   * @param latency of them
   */
  public record KindRow(@JsonProperty("count") long count, @JsonUnwrapped Latency latency) {}

  /** The same under another name. */
  TpccRow named(String name) {
    return new TpccRow(name, throughput, cost, latency, transactions, rolledBack, perSecond, ratio);
  }

  /** This row, held against another. */
  TpccRow against(TpccRow rival) {
    double times = throughput.transactionsPerSecond / rival.throughput.transactionsPerSecond;
    return new TpccRow(
        engine,
        throughput,
        cost,
        latency,
        transactions,
        rolledBack,
        perSecond,
        Math.round(times * 1000) / 1000.0);
  }
}
