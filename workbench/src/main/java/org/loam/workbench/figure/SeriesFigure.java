package org.loam.workbench.figure;

import java.util.List;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.console.Progress;
import org.loam.workbench.figure.SchemeSeries.Series;

/** A figure whose series are known before the first is measured. */
interface SeriesFigure extends Figure {
  /** What is measured. */
  List<Series> series(LatencySpec spec);

  @Override
  default int seriesCount() {
    return series(spec(false, 0)).size();
  }

  /** Measures each series by itself, which has one result. */
  @Override
  default List<LatencyResult> measure(
      LatencySpec spec, String round, List<String> notes, Progress progress) {
    return SchemeSeries.measure(series(spec), round, notes, progress);
  }
}
