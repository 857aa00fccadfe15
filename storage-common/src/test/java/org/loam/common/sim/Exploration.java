package org.loam.common.sim;

/**
 * A kind of schedules.
 *
 * @param depth constraints that a schedule by priorities may have, see {@link PriorityChoice}; 0
 *     for random switches instead
 * @param expectedPoints switching points of a run, about; for schedules by priorities
 * @param plainAccesses whether accesses to off-heap memory that are neither volatile nor atomic are
 *     switching points, too
 */
public record Exploration(int depth, long expectedPoints, boolean plainAccesses) {
  /** Random switches. */
  public static final Exploration RANDOM = new Exploration(0, 0, false);

  ThreadChoice choice(SimRandom random) {
    return depth == 0
        ? new RandomChoice(random)
        : new PriorityChoice(random, depth, expectedPoints);
  }
}
