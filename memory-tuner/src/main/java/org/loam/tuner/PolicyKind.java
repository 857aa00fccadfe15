package org.loam.tuner;

/** How a tuner decides. */
public enum PolicyKind {
  /** As in MemoryWalls §5.4: down the slope at the present split. */
  PAPER(0.1, 0.001),
  /** To the least cost of all splits. */
  CURVE(0.5, 0.0125);

  private final double donorFraction;
  private final double leastGain;

  PolicyKind(double donorFraction, double leastGain) {
    this.donorFraction = donorFraction;
    this.leastGain = leastGain;
  }

  /** The part of its memory that the shrinking side gives in a cycle at most. */
  double donorFraction() {
    return donorFraction;
  }

  /** The part of the present cost that a step has to save. */
  double leastGain() {
    return leastGain;
  }
}
