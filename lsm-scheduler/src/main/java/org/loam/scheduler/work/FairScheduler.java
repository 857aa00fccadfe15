package org.loam.scheduler.work;

import java.util.Arrays;
import java.util.List;

/** Equal shares for all open merges, so that none starves (Stability §5.1.4). Thread-safe. */
public final class FairScheduler implements MergeScheduler {
  @Override
  public void allocate(List<OpenMerge> merges, double[] shares) {
    Arrays.fill(shares, 0, merges.size(), 1.0 / Math.max(1, merges.size()));
  }
}
