package org.loam.workbench.figure;

import java.util.List;
import java.util.Locale;
import org.loam.common.config.WriteScheme;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.bench.latency.LatencySpec.Trees;
import org.loam.workbench.figure.SchemeSeries.Scheme;
import org.loam.workbench.figure.SchemeSeries.Series;

/**
 * Memory components alone (MemoryWalls §6.2.1, figure 8): one client inserts records that fit into
 * memory components, so that nothing is flushed before the load has ended. Beside the schemes is a
 * B+-tree with the records in its pages, as the paper's memory components are.
 */
final class Memory8 implements SeriesFigure {
  /** So much write memory that no range of keys fills its part. */
  private static final double PART = 0.8;

  /** The paper's 10 GB of records beside an active SSTable of 32 MB. */
  private static final int ACTIVES_OF_DATA = 320;

  private static final long LEAST_ACTIVE_BYTES = 64 << 10;

  @Override
  public String id() {
    return "memory-8";
  }

  /**
   * The full size is no larger, so that it fits into a small machine. The B+-tree, which has its
   * pages in the heap, has as much more heap as the others have memory outside of it.
   */
  @Override
  public LatencySpec spec(boolean full, long seed) {
    DataSize data = new DataSize(2_000_000, 100, 2560L << 20);
    return SchemeSeries.spec(data, Trees.ONE, 1, 2_000, seed);
  }

  @Override
  public String scale(LatencySpec spec) {
    return String.format(
        Locale.ROOT,
        "%,d records of %d bytes, one client, %d MiB of write memory, which is %.1f times the"
            + " records; LEVELS with an active component of %d KiB; the paper: 10,000,000 records"
            + " of 1 KB, one thread, 20 GB of write memory, which is 2 times the records; an active"
            + " SSTable of 32 MB",
        spec.data().records(),
        spec.data().valueBytes(),
        (long) (spec.data().memoryBytes() * PART) >> 20,
        spec.data().memoryBytes() * PART / spec.data().dataBytes(),
        activeBytes(spec) >> 10);
  }

  /** So many times as small beside the records as the paper's, that as much is merged in memory. */
  private static long activeBytes(LatencySpec spec) {
    return Math.max(LEAST_ACTIVE_BYTES, spec.data().dataBytes() / ACTIVES_OF_DATA);
  }

  @Override
  public List<Series> series(LatencySpec spec) {
    SchemeSeries series = new SchemeSeries();
    for (WriteScheme scheme : WriteScheme.values()) {
      Scheme one = Scheme.of(scheme);
      if (scheme == WriteScheme.LEVELS) {
        one = one.with("write.activeBytes", activeBytes(spec) + "B");
      }
      // Divided among datasets, one component has too little for the records.
      if (scheme != WriteScheme.STATIC) {
        series.addUnbounded(one, spec, PART);
      }
    }
    series.addBaseline("inline_btree", spec);
    return series.all();
  }
}
