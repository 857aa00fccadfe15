package org.loam.workbench.figure;

import java.util.List;
import java.util.stream.Stream;
import org.loam.common.config.FlushPolicy;
import org.loam.common.config.WriteScheme;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.figure.SchemeSeries.Scheme;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.workload.Hotspot;

/**
 * Ten trees that share the write memory, some of them hot (MemoryWalls §6.2.2, figure 10): all
 * schemes and flush policies at one size of the write memory and one skew; another size and another
 * skew with one policy. The paper leaves Accordion out where there is more than one tree; here it
 * has one policy, size and skew.
 */
final class Memory10 implements SeriesFigure {
  private static final int CLIENTS = 8;

  private static final Hotspot EVEN = new Hotspot(50, 50);

  @Override
  public String id() {
    return "memory-10";
  }

  @Override
  public LatencySpec spec(boolean full, long seed) {
    DataSize data =
        full ? new DataSize(100_000_000, 1000, 20L << 30) : new DataSize(300_000, 1000, 96L << 20);
    return SchemeSeries.spec(data, SchemeSeries.TREES, CLIENTS, full ? 1_800_000 : 24_000, seed);
  }

  @Override
  public String scale(LatencySpec spec) {
    return SchemeSeries.scale(spec, series(spec));
  }

  @Override
  public List<Series> series(LatencySpec spec) {
    SchemeSeries series = new SchemeSeries();
    for (WriteScheme scheme : WriteScheme.values()) {
      for (Scheme each : compared(scheme)) {
        series.add(each, "_80_20", spec, spec.traffic().with(SchemeSeries.HOT), SchemeSeries.LARGE);
      }
      if (!isAccordion(scheme)) {
        Scheme one = isStatic(scheme) ? Scheme.of(scheme) : Scheme.of(scheme, FlushPolicy.MIN_LSN);
        series.add(one, "_50_50", spec, spec.traffic().with(EVEN), SchemeSeries.LARGE);
        series.add(
            one, "_80_20_small", spec, spec.traffic().with(SchemeSeries.HOT), SchemeSeries.SMALL);
      }
    }
    return series.all();
  }

  /** A scheme with the policies that it is compared under. */
  private static List<Scheme> compared(WriteScheme scheme) {
    if (isStatic(scheme)) {
      return List.of(Scheme.of(scheme));
    }
    return isAccordion(scheme)
        ? List.of(Scheme.of(scheme, FlushPolicy.MIN_LSN))
        : Stream.of(FlushPolicy.values()).map(policy -> Scheme.of(scheme, policy)).toList();
  }

  private static boolean isAccordion(WriteScheme scheme) {
    return scheme.name().startsWith("ACCORDION");
  }

  /** Divided among datasets whatever a policy says. */
  private static boolean isStatic(WriteScheme scheme) {
    return scheme.name().startsWith("STATIC");
  }
}
