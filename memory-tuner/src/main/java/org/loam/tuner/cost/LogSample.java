package org.loam.tuner.cost;

/**
 * The transaction log in one cycle.
 *
 * @param grownBytes by how much it grew
 * @param maxBytes the length at which memory is flushed to shorten it
 */
public record LogSample(long grownBytes, long maxBytes) {
  public LogSample {
    Require.atLeast("log.grownBytes", grownBytes, 0);
    Require.atLeast("log.maxBytes", maxBytes, 1);
  }
}
