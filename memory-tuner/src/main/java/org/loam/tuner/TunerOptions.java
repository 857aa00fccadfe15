package org.loam.tuner;

import java.util.ArrayList;
import java.util.List;
import org.loam.common.config.TunerMode;
import org.loam.common.config.Units;
import org.loam.tuner.cost.CostModel;
import org.loam.tuner.cost.Weights;

/**
 * What a user may say about the tuner; one number, the budget, is enough.
 *
 * @param mode what it does with its decisions
 * @param policy how it decides
 * @param unit what it counts
 * @param bounds the least sizes of both sides
 * @param weights how much writing and reading count
 * @param cycle when a cycle ends
 */
public record TunerOptions(
    TunerMode mode,
    PolicyKind policy,
    CostModel.Unit unit,
    Bounds bounds,
    Weights weights,
    Cycle cycle) {
  private static final long MIB = 1L << 20;
  private static final long LONGEST_CYCLE_NANOS = 24L * 3600 * 1_000_000_000;

  /** Two active memory components of MemoryWalls, where its experiments begin, too. */
  private static final long MOST_LEAST_WRITE_BYTES = 64 * MIB;

  /** MemoryWalls §5.4 has 32 MB for budgets of 20 GB and more. */
  private static final long MOST_SHORTEST_STEP_BYTES = 32 * MIB;

  private static final int STEPS = 640;

  /**
   * A cycle has seen enough when so many times all memory went through it. With little memory that
   * is long before the log has its length, and a change of the workload is noticed as much sooner.
   */
  private static final int CYCLE_POOLS = 2;

  /** MemoryWalls §6.3. */
  private static final long MOST_GHOST_BYTES = 128 * MIB;

  /**
   * Least sizes.
   *
   * @param leastWriteBytes of the write memory
   * @param leastCacheBytes of the buffer cache
   */
  public record Bounds(long leastWriteBytes, long leastCacheBytes) {}

  /**
   * Length of a cycle: whichever comes first.
   *
   * @param bytes growth of the log, or what queries read from the disk
   * @param nanos time
   */
  public record Cycle(long bytes, long nanos) {}

  /**
   * What a user gets that says nothing.
   *
   * @param totalBytes the budget of both sides
   * @param logMaxBytes the length of the log
   */
  public static TunerOptions defaults(long totalBytes, long logMaxBytes) {
    return new TunerOptions(
        TunerMode.ADAPTIVE,
        PolicyKind.CURVE,
        CostModel.Unit.NANOS,
        new Bounds(
            Math.min(MOST_LEAST_WRITE_BYTES, Math.max(1, totalBytes / 64)),
            Math.max(1, totalBytes / 20)),
        Weights.EQUAL,
        new Cycle(Math.min(logMaxBytes, CYCLE_POOLS * totalBytes), 600L * 1_000_000_000));
  }

  /** A step that is shorter is not made. */
  static long shortestStepBytes(long totalBytes) {
    return Math.min(MOST_SHORTEST_STEP_BYTES, totalBytes / STEPS);
  }

  /** Size of the pages whose ids a ghost cache keeps. */
  public static long ghostBytes(long totalBytes) {
    return Math.min(MOST_GHOST_BYTES, totalBytes / 4);
  }

  /**
   * What is wrong with the options for a budget: one sentence each, with the option, its value and
   * the rule. Empty if nothing is.
   */
  public List<String> problems(long totalBytes) {
    List<String> problems = new ArrayList<>();
    if (totalBytes <= 0) {
      problems.add("memory of the tuner: " + totalBytes + ", must be above 0");
    }
    checkBound(problems, "tuner.leastWriteBytes", bounds.leastWriteBytes, totalBytes);
    checkBound(problems, "tuner.leastCacheBytes", bounds.leastCacheBytes, totalBytes);
    if (problems.isEmpty() && bounds.leastWriteBytes > totalBytes - bounds.leastCacheBytes) {
      problems.add(
          "memory of the tuner: "
              + Units.formatBytes(totalBytes)
              + ", must be at least tuner.leastWriteBytes and tuner.leastCacheBytes together, "
              + Units.formatBytes(bounds.leastWriteBytes + bounds.leastCacheBytes));
    }
    if (cycle.bytes < 1) {
      problems.add("tuner.cycleBytes: " + cycle.bytes + ", must be at least 1");
    }
    if (cycle.nanos < 1 || cycle.nanos > LONGEST_CYCLE_NANOS) {
      problems.add("tuner.cycleSeconds: " + cycle.nanos + "ns, must be in 1ns..24h");
    }
    return problems;
  }

  private static void checkBound(List<String> problems, String name, long value, long totalBytes) {
    if (value < 1) {
      problems.add(name + ": " + value + ", must be at least 1");
    } else if (value > totalBytes && totalBytes > 0) {
      problems.add(
          name
              + ": "
              + Units.formatBytes(value)
              + ", must be at most the memory of the tuner, "
              + Units.formatBytes(totalBytes));
    }
  }

  /**
   * Refuses options that cannot be, all that is wrong at once.
   *
   * @throws IllegalArgumentException with all {@link #problems}
   */
  void require(long totalBytes) {
    List<String> problems = problems(totalBytes);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("\n", problems));
    }
  }
}
