package org.loam.workbench.figure;

import java.util.List;
import java.util.Locale;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.LatencySpec.Transactions;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Scale;

/** The scale of figures with transactions derived from TPC-C. */
final class Warehouses {
  /** Records of a warehouse of full size, about, without items. */
  private static final int RECORDS_OF_WAREHOUSE = 500_000;

  private Warehouses() {}

  /** As many warehouses as have about the records of a specification; of one, a part. */
  static LatencySpec transactions(LatencySpec spec, List<Mix> mixes) {
    long records = spec.data().records();
    int warehouses = (int) Math.max(1, records / RECORDS_OF_WAREHOUSE);
    double part = Math.min(1, (double) records / warehouses / RECORDS_OF_WAREHOUSE);
    return spec.with(new Transactions(Scale.of(warehouses, part), mixes));
  }

  private static Scale scale(LatencySpec spec) {
    Transactions transactions = transactions(spec, List.of()).transactions();
    if (transactions == null) {
      throw new AssertionError("it has transactions");
    }
    return transactions.scale();
  }

  /** Bytes of the tables at first, about. */
  static long dataBytes(LatencySpec spec) {
    return scale(spec).dataBytes();
  }

  /** What {@link Figure#scale} says of transactions. */
  static String scale(LatencySpec spec, String paper) {
    Scale scale = scale(spec);
    return String.format(
        Locale.ROOT,
        "warehouses: %d of %,d items and %,d customers a district, %d MiB of memory, phases of"
            + " %s s; the paper: %s",
        scale.warehouses(),
        scale.items(),
        scale.customers(),
        spec.data().memoryBytes() >> 20,
        spec.phaseSeconds(),
        paper);
  }
}
