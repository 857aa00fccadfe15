package org.loam.tuner.policy;

import org.loam.tuner.cost.Require;

/**
 * What bounds every step, whichever policy wants it.
 *
 * @param leastWriteBytes the write memory never gets smaller
 * @param leastCacheBytes the buffer cache never gets smaller
 * @param shortestStepBytes a shorter step is not made
 * @param donorFraction the part of its memory that the shrinking side gives at most
 * @param leastGain the part of the present cost that a step has to save
 */
public record Limits(
    long leastWriteBytes,
    long leastCacheBytes,
    long shortestStepBytes,
    double donorFraction,
    double leastGain) {
  /** A step after the bounds, and the last of them that made it shorter. */
  record Step(long toBytes, Rule rule) {}

  public Limits {
    Require.atLeast("leastWriteBytes", leastWriteBytes, 1);
    Require.atLeast("leastCacheBytes", leastCacheBytes, 1);
    Require.atLeast("shortestStepBytes", shortestStepBytes, 0);
    Require.within("donorFraction", donorFraction, 0, 1);
    Require.within("leastGain", leastGain, 0, 1);
  }

  /** The same, but the shrinking side gives another part at most. */
  Limits withDonor(double fraction) {
    return new Limits(leastWriteBytes, leastCacheBytes, shortestStepBytes, fraction, leastGain);
  }

  /** The largest write memory of a budget. */
  public long mostWriteBytes(long totalBytes) {
    return totalBytes - leastCacheBytes;
  }

  /**
   * Whether a split has to change, whatever that costs: a bound was raised since, or memory was
   * divided otherwise at open. What is nearer than the shortest step is there: an engine has whole
   * pages.
   */
  public boolean refuse(long totalBytes, long writeBytes) {
    long lacking = Math.max(leastWriteBytes - writeBytes, writeBytes - mostWriteBytes(totalBytes));
    return lacking >= Math.max(1, shortestStepBytes);
  }

  /** Makes a step as short as the bounds want it; too short a step is none. */
  Step bound(long totalBytes, long fromBytes, double wantedBytes) {
    double least = fromBytes - donorFraction * fromBytes;
    double most = fromBytes + donorFraction * (totalBytes - fromBytes);
    Rule rule = Rule.NONE;
    double to = wantedBytes;
    if (to < least || to > most) {
      to = Math.min(most, Math.max(least, to));
      rule = Rule.DONOR;
    }
    if (to < leastWriteBytes) {
      to = leastWriteBytes;
      rule = Rule.LEAST_WRITE;
    } else if (to > mostWriteBytes(totalBytes)) {
      to = mostWriteBytes(totalBytes);
      rule = Rule.LEAST_CACHE;
    }
    long whole = Math.round(to);
    if (Math.abs(whole - fromBytes) < Math.max(1, shortestStepBytes)) {
      return new Step(fromBytes, rule == Rule.NONE ? Rule.SHORT_STEP : shortBecause(rule));
    }
    return new Step(whole, rule);
  }

  /** A bound is the better answer than the length of the step: nothing is left to move there. */
  private static Rule shortBecause(Rule rule) {
    return rule == Rule.DONOR ? Rule.SHORT_STEP : rule;
  }
}
