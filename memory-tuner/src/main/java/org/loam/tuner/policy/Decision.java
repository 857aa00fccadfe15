package org.loam.tuner.policy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.tuner.cost.MemorySample;

/**
 * What a policy decided at the end of a cycle.
 *
 * @param fromBytes write memory before
 * @param wantedBytes write memory that the policy wanted
 * @param toBytes write memory from now on; {@code fromBytes} if the split stays
 * @param origin how it came to what it wanted
 * @param rule what limited the step
 * @param estimate what operations cost, and what they should
 * @param evidence what it was derived from
 * @param lastMove what became of the last move; null if that is not known now
 */
public record Decision(
    long fromBytes,
    long wantedBytes,
    long toBytes,
    Origin origin,
    Rule rule,
    Estimate estimate,
    Evidence evidence,
    @Nullable Outcome lastMove) {
  /**
   * Costs, each weighted and of one operation.
   *
   * @param cost in this cycle
   * @param predictedGain by how much the step should lower it
   */
  public record Estimate(double cost, double predictedGain) {}

  /**
   * The numbers behind a decision.
   *
   * @param numbers by name
   * @param curve the cost of some splits, if the policy knows it
   */
  public record Evidence(Map<String, Double> numbers, List<Point> curve) {
    public Evidence {
      numbers = Map.copyOf(numbers);
      curve = List.copyOf(curve);
    }

    /** These, and some more numbers. */
    Evidence with(Map<String, Double> more) {
      Map<String, Double> all = new HashMap<>(numbers);
      all.putAll(more);
      return new Evidence(all, curve);
    }

    /** Numbers alone. */
    public static Evidence of(Map<String, Double> numbers) {
      return new Evidence(numbers, List.of());
    }
  }

  /**
   * A split and its cost.
   *
   * @param writeBytes the write memory
   * @param cost of an operation
   */
  public record Point(long writeBytes, double cost) {}

  /**
   * A move, after it.
   *
   * @param predictedGain by how much the cost of an operation should have become lower
   * @param observedGain by how much it did
   */
  public record Outcome(double predictedGain, double observedGain) {}

  /** The split stays as it is, and no step was wanted. */
  public static Decision rest(long bytes, Rule rule, double cost, Evidence evidence) {
    return new Decision(
        bytes, bytes, bytes, Origin.NONE, rule, new Estimate(cost, 0), evidence, null);
  }

  /** The split goes to the nearer bound, which refuses it, whatever that costs. */
  public static Decision toBound(MemorySample memory, Limits limits, Evidence evidence) {
    long from = memory.writeBytes();
    Limits.Step step = limits.bound(memory.totalBytes(), from, (double) from);
    return new Decision(
        from,
        step.toBytes(),
        step.toBytes(),
        Origin.NONE,
        step.rule(),
        new Estimate(0, 0),
        evidence,
        null);
  }

  /** Whether the split changes. */
  public boolean moves() {
    return toBytes != fromBytes;
  }

  /** Whether a cycle had the split that this one wanted. */
  boolean isReached(MemorySample memory) {
    return memory.isAt(toBytes);
  }

  /** The same, but a move that was decided before goes on. */
  public Decision goingOnTo(long bytes) {
    return new Decision(fromBytes, bytes, bytes, origin, rule, estimate, evidence, lastMove);
  }

  /** The same wish, but the split stays, because of a rule. */
  public Decision resting(Rule because) {
    return new Decision(
        fromBytes, wantedBytes, fromBytes, origin, because, estimate, evidence, lastMove);
  }

  /** The same, with some more numbers behind it. */
  public Decision with(Map<String, Double> numbers) {
    return new Decision(
        fromBytes, wantedBytes, toBytes, origin, rule, estimate, evidence.with(numbers), lastMove);
  }

  /** The same, and what became of the last move. */
  Decision with(@Nullable Outcome outcome) {
    return new Decision(fromBytes, wantedBytes, toBytes, origin, rule, estimate, evidence, outcome);
  }
}
