package org.loam.workbench.figure;

import java.util.ArrayList;
import java.util.List;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.console.Progress;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.workload.Workload;
import org.loam.workbench.workload.tpcc.Mix;

/**
 * What an operation costs by the part of the memory that is write memory, which stays as it is
 * (MemoryWalls §5.5, figure 6): ten trees, and transactions derived from TPC-C.
 */
final class Memory6 implements SeriesFigure {
  /** The series of least cost between the least and the most write memory, once more. */
  static final String TREES_BEST = "ycsb_opt";

  /** The same of transactions. */
  static final String TRANSACTIONS_BEST = "tpcc_opt";

  private static final String COST = "testedCostBytesPerOp";
  private static final int CLIENTS = 8;

  /** Percentages of the memory. */
  private static final List<Integer> WRITE_MEMORY = List.of(3, 8, 20, 40, 70);

  /** Records of transactions for one of the trees: the paper has about 200 GB and 100 GB. */
  private static final int MORE_RECORDS = 10;

  private static final int TRANSACTION_RECORD_BYTES = 150;

  @Override
  public String id() {
    return "memory-6";
  }

  @Override
  public LatencySpec spec(boolean full, long seed) {
    DataSize data =
        full ? new DataSize(100_000_000, 1000, 20L << 30) : new DataSize(300_000, 1000, 64L << 20);
    LatencySpec spec =
        SchemeSeries.spec(data, SchemeSeries.TREES, CLIENTS, full ? 1_800_000 : 40_000, seed);
    return spec.with(spec.traffic().with(Workload.YCSB_A).with(SchemeSeries.HOT));
  }

  @Override
  public String scale(LatencySpec spec) {
    return SchemeSeries.records(spec)
        + "; "
        + Warehouses.scale(
            transactions(spec),
            "100,000,000 records of 1 KB in 10 trees, 2,000 warehouses, 20 GB of memory");
  }

  /** Write memory grows from one to the next. */
  @Override
  public List<Series> series(LatencySpec spec) {
    List<Series> all = new ArrayList<>();
    WRITE_MEMORY.forEach(percent -> all.add(fixed("ycsb_", spec, percent)));
    WRITE_MEMORY.forEach(percent -> all.add(fixed("tpcc_", transactions(spec), percent)));
    return all;
  }

  @Override
  public List<LatencyResult> measure(
      LatencySpec spec, String round, List<String> notes, Progress progress) {
    return withBest(SeriesFigure.super.measure(spec, round, notes, progress));
  }

  /** All results, and those of least cost. */
  static List<LatencyResult> withBest(List<LatencyResult> results) {
    int count = WRITE_MEMORY.size();
    List<LatencyResult> all = new ArrayList<>(results);
    all.add(best(results.subList(0, count)).named(TREES_BEST));
    all.add(best(results.subList(count, 2 * count)).named(TRANSACTIONS_BEST));
    return all;
  }

  private static LatencyResult best(List<LatencyResult> results) {
    return TunerSeries.cheapest(results.subList(1, results.size() - 1), COST);
  }

  private static Series fixed(String workload, LatencySpec spec, int percent) {
    return TunerSeries.fixed(workload + percent, spec, percent / 100.0);
  }

  private static LatencySpec transactions(LatencySpec spec) {
    DataSize data =
        new DataSize(
            MORE_RECORDS * spec.data().records(),
            TRANSACTION_RECORD_BYTES,
            spec.data().memoryBytes());
    return Warehouses.transactions(spec.with(data), List.of(Mix.STANDARD));
  }
}
