package org.loam.tuner.cost;

/**
 * How much writing and reading the disk count in what is minimised.
 *
 * @param writes ω
 * @param reads γ
 */
public record Weights(double writes, double reads) {
  /** Both count as they cost. */
  public static final Weights EQUAL = new Weights(1, 1);

  public Weights {
    Require.within("tuner.writeWeight", writes, 0, 1e6);
    Require.within("tuner.readWeight", reads, 0, 1e6);
    if (writes + reads == 0) {
      throw new IllegalArgumentException(
          "tuner.writeWeight and tuner.readWeight: 0, one must be above 0");
    }
  }
}
