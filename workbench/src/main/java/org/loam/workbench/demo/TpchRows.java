package org.loam.workbench.demo;

import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.Distributions;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.SupplierGenerator;
import io.trino.tpch.TextPool;
import io.trino.tpch.TpchEntity;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Rows of the TPC-H benchmark, for machines without a package index. At scale factor 0.13 the five
 * tables hold about 345,000 rows and 50 MB, as much as a package index.
 *
 * <p>Comments are cut from a pool of text that is smaller than the 300 MB of the benchmark, so that
 * the demo fits a small heap.
 */
final class TpchRows implements RecordSource {
  static final double SCALE_FACTOR = 0.13;

  private static final int TEXT_POOL_BYTES = 4 << 20;

  private final double scaleFactor;

  TpchRows(double scaleFactor) {
    this.scaleFactor = scaleFactor;
  }

  @Override
  public String description() {
    return "TPC-H rows, scale factor " + scaleFactor + " (generated)";
  }

  @Override
  public void forEach(RecordSink sink) throws IOException {
    for (Map.Entry<String, Iterable<? extends TpchEntity>> table : tables().entrySet()) {
      long row = 0;
      for (TpchEntity entity : table.getValue()) {
        row++;
        sink.accept(
            new DemoRecord(
                String.format(Locale.ROOT, "%s/%09d", table.getKey(), row),
                table.getKey(),
                entity.toLine() + "\n"));
      }
    }
  }

  private Map<String, Iterable<? extends TpchEntity>> tables() {
    Distributions words = Distributions.getDefaultDistributions();
    TextPool text = new TextPool(TEXT_POOL_BYTES, words);
    Map<String, Iterable<? extends TpchEntity>> tables = new LinkedHashMap<>();
    tables.put("customer", new CustomerGenerator(scaleFactor, 1, 1, words, text));
    tables.put("orders", new OrderGenerator(scaleFactor, 1, 1, words, text));
    tables.put("part", new PartGenerator(scaleFactor, 1, 1, words, text));
    tables.put("partsupp", new PartSupplierGenerator(scaleFactor, 1, 1, text));
    tables.put("supplier", new SupplierGenerator(scaleFactor, 1, 1, words, text));
    return tables;
  }
}
