package org.loam.common.sim;

/**
 * A kind of schedules.
 *
 * @param depth constraints that a schedule by priorities may have, see {@link PriorityChoice}; 0
 *     for random switches instead, -1 for the one schedule of {@link TurnsChoice}
 * @param expectedPoints switching points of a run, about; for schedules by priorities
 * @param plainAccesses whether accesses to off-heap memory that are neither volatile nor atomic are
 *     switching points, too
 */
public record Exploration(int depth, long expectedPoints, boolean plainAccesses) {
  /** Random switches. */
  public static final Exploration RANDOM = new Exploration(0, 0, false);

  /** As few switches as can be, for tests that are not about threads: each takes microseconds. */
  public static final Exploration TURNS = new Exploration(-1, 0, false);

  ThreadChoice choice(SimRandom random) {
    return switch (depth) {
      case -1 -> new TurnsChoice();
      case 0 -> new RandomChoice(random);
      default -> new PriorityChoice(random, depth, expectedPoints);
    };
  }
}
