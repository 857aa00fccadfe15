package org.loam.common.config;

import java.util.ArrayList;
import java.util.List;

/** Which values of settings do not go together. */
final class CombinedSettings {
  /**
   * A memory component is flushed when it has half of the write memory: eight pages, so that it
   * holds more than a page of nodes and a few pages of records.
   */
  private static final int MIN_WRITE_PAGES = 16;

  private CombinedSettings() {}

  /** What is wrong with values that are allowed, each for itself. */
  static List<String> check(
      MemoryConfig memory, LogConfig log, WriteConfig write, DiskConfig disk, TunerConfig tuner) {
    List<String> problems = new ArrayList<>();
    if (log.segmentBytes() > log.maxBytes() / 2) {
      problems.add(
          "log.segmentBytes: "
              + Units.formatBytes(log.segmentBytes())
              + ", must be at most half of log.maxBytes, "
              + Units.formatBytes(log.maxBytes()));
    }
    long leastWriteBytes = (long) MIN_WRITE_PAGES * memory.pageBytes();
    if (write.initialBytes() < leastWriteBytes) {
      problems.add(
          "write.initialBytes: "
              + Units.formatBytes(write.initialBytes())
              + ", must be at least "
              + MIN_WRITE_PAGES
              + " pages of page.size, "
              + Units.formatBytes(leastWriteBytes));
    }
    int pageBytes = memory.pageBytes();
    WriteShares.problem(write, pageBytes, "write.initialBytes", write.initialBytes())
        .ifPresent(problems::add);
    long targetBytes = memory.writeTargetBytes();
    if (targetBytes > 0) {
      WriteShares.problem(write, pageBytes, "write.targetBytes", targetBytes)
          .ifPresent(problems::add);
    }
    if (targetBytes > 0 && tuner.mode() == TunerMode.ADAPTIVE) {
      problems.add(
          "write.targetBytes: "
              + Units.formatBytes(targetBytes)
              + ", must be 0 while tuner.mode is ADAPTIVE; with OBSERVE or FROZEN it may state a"
              + " size");
    }
    TunerConfig.Weights weights = tuner.weights();
    if (weights.writes() + weights.reads() == 0) {
      problems.add("tuner.writeWeight and tuner.readWeight: 0, one must be above 0");
    }
    DiskConfig.L0 l0 = disk.l0();
    if (l0.stop() <= l0.minMerge()) {
      problems.add("l0.stop: " + l0.stop() + ", must be above l0.minMerge, " + l0.minMerge());
    }
    return problems;
  }
}
