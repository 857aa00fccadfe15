package org.loam.scheduler.work;

import java.util.List;

/**
 * Divides the merge workers' turns among the open merges (Stability §5.1.4). A pure function, asked
 * before every quantum.
 */
public interface MergeScheduler {
  /**
   * An open merge.
   *
   * @param treeId its tree
   * @param fromLevel id of the newest level that gives inputs
   * @param ioClass its urgency, what blocked work donated included
   * @param remainingInputBytes input bytes not yet consumed
   * @param pressure of the tree that the merge relieves, as its {@link
   *     ComponentConstraint#pressure} says: at 1 and above its writers wait; 0 if the merge
   *     relieves none
   */
  record OpenMerge(
      int treeId, int fromLevel, IoClass ioClass, long remainingInputBytes, double pressure) {}

  /**
   * Sets {@code shares[i]} for {@code merges.get(i)}: at least 0, summing up to at most 1. A merge
   * with share 0 pauses, unless its class is {@link IoClass#FLUSH}: work that blocks a flush is
   * never paused. {@code shares} is at least as long as the list and filled with zeros.
   */
  void allocate(List<OpenMerge> merges, double[] shares);
}
