package org.loam.workbench.figure;

import java.util.List;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.console.Progress;

/** A figure of a paper, as a measurement. Stateless. */
interface Figure {
  /** The name on the command line, and of the claim file. */
  String id();

  /** How many series it measures. */
  int seriesCount();

  /**
   * What is measured when nothing else is asked for.
   *
   * @param full at the paper's size, else scaled down to less than 20 minutes
   */
  LatencySpec spec(boolean full, long seed);

  /** The size in one line, beside the paper's. */
  String scale(LatencySpec spec);

  /**
   * Measures.
   *
   * @param spec with the directory filled in
   * @param round what follows the name of a series in progress and notes, such as ", round 1/3"
   * @param notes takes what a reader should know
   * @return one result for each series, under the name that the claim file uses
   */
  List<LatencyResult> measure(
      LatencySpec spec, String round, List<String> notes, Progress progress);
}
