package org.loam.workbench.bench.latency;

/**
 * The maximum that an engine can hold: what it took in a window, lowered by the work that it left
 * to merges. Debt is what merges have still to move, in bytes. A window is neutral if the debt at
 * its end is at most {@link #TOLERANCE} above that at its beginning; if it is larger, the clients
 * pause and the time until the debt is back there counts, too:
 *
 * <pre>{@code maximum = operations / (window + pay)}</pre>
 *
 * <p>Merges may end before that. Then pay has also the time for the rest, at the rate at which they
 * wrote before.
 *
 * <p>Pure functions.
 */
final class DebtNeutral {
  /** By how much the debt may grow. */
  static final double TOLERANCE = 0.05;

  private DebtNeutral() {}

  /** The debt up to which a window is neutral. */
  static double allowedBytes(double owedAtStartBytes) {
    return owedAtStartBytes * (1 + TOLERANCE);
  }

  /** Whether nothing is left to pay. */
  static boolean isNeutral(double owedAtStartBytes, double owedNowBytes) {
    return owedNowBytes <= allowedBytes(owedAtStartBytes);
  }

  /** What is left to pay. */
  static double unpaidBytes(double owedAtStartBytes, double owedNowBytes) {
    return Math.max(0, owedNowBytes - allowedBytes(owedAtStartBytes));
  }

  /**
   * Seconds that merges would need for the rest.
   *
   * @param unpaidBytes the rest
   * @param mergedBytes that merges wrote
   * @param mergedSeconds that they needed for them
   * @return 0 if merges wrote nothing, so that their rate is not known
   */
  static double unpaidSeconds(double unpaidBytes, double mergedBytes, double mergedSeconds) {
    return mergedBytes > 0 ? unpaidBytes * mergedSeconds / mergedBytes : 0;
  }

  /**
   * Operations per second that can go on for ever.
   *
   * @param paySeconds that merges need alone after the window; 0 if it was neutral
   */
  static double maximum(long operations, double windowSeconds, double paySeconds) {
    return operations / (windowSeconds + paySeconds);
  }
}
