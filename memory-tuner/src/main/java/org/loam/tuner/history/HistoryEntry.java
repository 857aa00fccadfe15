package org.loam.tuner.history;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
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
  public HistoryEntry {
    Objects.requireNonNull(memory);
    Objects.requireNonNull(inputs);
    Objects.requireNonNull(decision);
  }

  /** What of an entry does not change from cycle to cycle; see there. */
  public record Terms(String mode, String unit, long initialBytes) {}

  /**
   * Counts of a cycle, of all trees together.
   *
   * @param operations reads and writes of users
   * @param writtenBytes keys and values
   * @param flushedForMemoryBytes tables that were flushed because memory was full
   * @param flushedForLogBytes tables that were flushed because the log was too long, or a host or
   *     the user asked for it
   * @param mergedBytes tables that merges wrote
   * @param logBytes growth of the log
   * @param reads by class
   * @param times how long the disk took
   */
  public record Inputs(
      long operations,
      long writtenBytes,
      long flushedForMemoryBytes,
      long flushedForLogBytes,
      long mergedBytes,
      long logBytes,
      Map<ReadClass, ReadSample> reads,
      CycleTimes times) {
    public Inputs {
      // Entries of an earlier version have none.
      times = Objects.requireNonNullElse(times, CycleTimes.NONE);
    }

    static Inputs of(CycleSample sample) {
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
      return new Inputs(
          sample.operations(),
          written,
          forMemory,
          forLog,
          merged,
          sample.log().grownBytes(),
          new TreeMap<>(sample.reads()),
          sample.times());
    }
  }

  /** The entry of a cycle. */
  public static HistoryEntry of(
      long cycle, long atMillis, Terms terms, CycleSample sample, Decision decision) {
    return new HistoryEntry(
        cycle,
        atMillis,
        terms.mode,
        terms.unit,
        terms.initialBytes,
        sample.memory(),
        Inputs.of(sample),
        decision);
  }
}
