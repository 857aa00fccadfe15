package org.loam.scheduler.merge;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Which components to merge, and the level that takes the result.
 *
 * <p>A plan is <em>closed</em>: with a component of L0 it takes every older component of L0 that
 * overlaps it, transitively, and with them every component between L0 and the target, and in the
 * target, that overlaps the hull. So the result may go to the target whole, cut between any two
 * user keys.
 *
 * <p>A plan <em>within</em> the last level takes components of that level only, and each one
 * between the first and the last of them. A compaction makes such plans, to leave out entries that
 * readers needed when the components were written.
 *
 * <p>Whether anti-matter may be dropped is not part of a plan: the tree asks {@link
 * TreeShape#olderThan} when it starts.
 *
 * @param treeId the tree
 * @param kind what to do
 * @param inputs the components, newest first; never empty
 * @param fromLevel id of the newest level that gives inputs
 * @param targetLevel id of the level that takes the result, greater than {@code fromLevel} unless
 *     both are the last level; a level that is not in the shape is to be created
 * @param hull the smallest range that holds all inputs
 * @param score how urgent: at least 1 if the level it relieves is over its limit
 * @param relievesL0 whether L0 gets smaller by it, or by a merge that waits for the room it makes
 */
public record MergePlan(
    int treeId,
    Kind kind,
    List<Component> inputs,
    int fromLevel,
    int targetLevel,
    KeyRange hull,
    double score,
    boolean relievesL0) {
  /** What to do with the inputs. */
  public enum Kind {
    /** Read all inputs, write the result. */
    MERGE,
    /** One input and nothing in its way: it changes its level, no byte is read or written. */
    MOVE
  }

  /** Makes a plan, its kind and hull derived from the inputs. */
  public static MergePlan of(
      int treeId, List<Component> inputs, int fromLevel, int targetLevel, double score) {
    KeyRange hull = inputs.get(0).range();
    for (Component input : inputs) {
      hull = hull.hull(input.range());
    }
    Kind kind = inputs.size() == 1 && fromLevel < targetLevel ? Kind.MOVE : Kind.MERGE;
    return new MergePlan(
        treeId,
        kind,
        List.copyOf(inputs),
        fromLevel,
        targetLevel,
        hull,
        score,
        fromLevel == Level.L0);
  }

  /** The same plan, for which a merge out of L0 waits. */
  public MergePlan relievingL0() {
    return new MergePlan(treeId, kind, inputs, fromLevel, targetLevel, hull, score, true);
  }

  /** The same plan with another score. */
  public MergePlan withScore(double other) {
    return new MergePlan(treeId, kind, inputs, fromLevel, targetLevel, hull, other, relievesL0);
  }

  /** Whether the inputs are in the last level already. */
  public boolean isWithinLast() {
    return fromLevel == Level.LAST;
  }

  /** Bytes of all inputs. */
  public long inputBytes() {
    return Component.bytes(inputs);
  }

  /**
   * Whether the two must not run at the same time: their hulls meet and they touch a level in
   * common, levels between source and target included.
   */
  public boolean conflictsWith(MergePlan other) {
    return treeId == other.treeId
        && fromLevel <= other.targetLevel
        && other.fromLevel <= targetLevel
        && hull.overlaps(other.hull);
  }

  /** The round-robin cursor that {@code fromLevel} has once this plan is done. */
  public byte[] cursor() {
    return inputs.get(0).range().max();
  }

  /** The plan in one line, levels by id. */
  @Override
  public String toString() {
    return kind
        + inputs.stream().map(c -> Long.toString(c.id())).collect(Collectors.joining("+", " ", " "))
        + "of tree "
        + treeId
        + ", L"
        + fromLevel
        + " -> L"
        + targetLevel;
  }
}
