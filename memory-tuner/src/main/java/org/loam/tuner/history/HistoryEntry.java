package org.loam.tuner.history;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.MemorySample;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.cost.TreeSample;
import org.loam.tuner.policy.Decision;

/**
 * One decision and what it was derived from. What became of a move is in a later entry ({@link
 * Decision#lastMove}).
 *
 * @param cycle counts cycles since the engine was opened
 * @param atMillis when the cycle ended, in milliseconds since the engine was opened
 * @param mode what the tuner did with its decisions
 * @param unit what costs are in
 * @param initialBytes the write memory with which the engine was opened
 * @param memory how memory was divided
 * @param inputs what the engine counted
 * @param decision the decision
 */
public record HistoryEntry(
    long cycle,
    long atMillis,
    String mode,
    String unit,
    long initialBytes,
    MemorySample memory,
    Inputs inputs,
    Decision decision) {
  /** So many trees are described; all of them would take room from other entries. */
  private static final int MOST_TREES = 8;

  public HistoryEntry {
    Objects.requireNonNull(memory);
    Objects.requireNonNull(inputs);
    Objects.requireNonNull(decision);
  }

  /** What of an entry does not change from cycle to cycle; see there. */
  public record Terms(String mode, String unit, long initialBytes) {}

  /**
   * Counts of a cycle: of all trees together, and of the trees that were written most.
   *
   * @param operations reads and writes of users
   * @param moved bytes by what moved them
   * @param reads by class
   * @param times how long the disk took
   * @param trees at most eight; the one that was written most is the first
   */
  public record Inputs(
      long operations,
      @JsonUnwrapped Moved moved,
      Map<ReadClass, ReadSample> reads,
      CycleTimes times,
      List<TreeInputs> trees) {
    public Inputs {
      Objects.requireNonNull(moved);
      // Entries of an earlier version have none.
      times = Objects.requireNonNullElse(times, CycleTimes.NONE);
      trees = List.copyOf(Objects.requireNonNullElse(trees, List.of()));
    }

    static Inputs of(CycleSample sample, IntFunction<String> names) {
      return new Inputs(
          sample.operations(),
          Moved.of(sample),
          new TreeMap<>(sample.reads()),
          sample.times(),
          mostWritten(sample.trees(), names));
    }

    private static List<TreeInputs> mostWritten(List<TreeSample> trees, IntFunction<String> names) {
      return trees.stream()
          .filter(tree -> tree.written().bytes() + tree.flushed().bytes() + tree.mergedBytes() > 0)
          .sorted(
              Comparator.comparingLong((TreeSample tree) -> tree.written().bytes())
                  .thenComparingLong(TreeSample::mergedBytes)
                  .reversed())
          .limit(MOST_TREES)
          .map(tree -> TreeInputs.of(names.apply(tree.treeId()), tree))
          .toList();
    }
  }

  /**
   * Bytes that were moved for all trees.
   *
   * @param writtenBytes keys and values
   * @param flushedForMemoryBytes tables that were flushed because memory was full
   * @param flushedForLogBytes tables that were flushed because the log was too long, or a host or
   *     the user asked for it
   * @param mergedBytes tables that merges wrote
   * @param logBytes growth of the log
   */
  public record Moved(
      long writtenBytes,
      long flushedForMemoryBytes,
      long flushedForLogBytes,
      long mergedBytes,
      long logBytes) {
    private static Moved of(CycleSample sample) {
      long written = 0;
      long forMemory = 0;
      long forLog = 0;
      long merged = 0;
      for (TreeSample tree : sample.trees()) {
        written += tree.written().bytes();
        forMemory += tree.flushed().forMemoryBytes();
        forLog += tree.flushed().forLogBytes();
        merged += tree.mergedBytes();
      }
      return new Moved(written, forMemory, forLog, merged, sample.log().grownBytes());
    }
  }

  /**
   * Counts of a tree in a cycle.
   *
   * @param name of the tree
   * @param share its part of all write memory on average, a_i
   * @param writtenBytes keys and values
   * @param flushedBytes tables that flushes wrote
   * @param mergedBytes tables that merges wrote
   * @param lastLevelBytes size of its last level at the end
   */
  public record TreeInputs(
      String name,
      double share,
      long writtenBytes,
      long flushedBytes,
      long mergedBytes,
      long lastLevelBytes) {
    private static TreeInputs of(String name, TreeSample tree) {
      return new TreeInputs(
          name,
          tree.share(),
          tree.written().bytes(),
          tree.flushed().bytes(),
          tree.mergedBytes(),
          tree.levels().lastBytes());
    }
  }

  /**
   * The entry of a cycle.
   *
   * @param names of trees, by their numbers
   */
  public static HistoryEntry of(
      long cycle,
      long atMillis,
      Terms terms,
      CycleSample sample,
      IntFunction<String> names,
      Decision decision) {
    return new HistoryEntry(
        cycle,
        atMillis,
        terms.mode,
        terms.unit,
        terms.initialBytes,
        sample.memory(),
        Inputs.of(sample, names),
        decision);
  }
}
