package org.loam.workbench.bench.latency;

/**
 * When operations should begin. A pure function of the number of an arrival, so that clients take
 * arrivals in any order and no slow one delays those behind it. Immutable.
 */
final class Arrivals {
  /** Of a bursty period, the share that is burst. */
  private static final double BURST_SHARE = 1.0 / 6;

  /** How much more a burst has than normal traffic. */
  private static final double BURST_FACTOR = 4;

  /** How far the sine goes from the mean, as a share of it. */
  private static final double AMPLITUDE = 0.5;

  private static final double NANOS = 1e9;

  private final ArrivalPattern pattern;
  private final double perSecond;
  private final double periodSeconds;

  /**
   * @param perSecond mean rate
   * @param periodSeconds after which the pattern repeats
   */
  Arrivals(ArrivalPattern pattern, double perSecond, double periodSeconds) {
    if (!(perSecond > 0) || !(periodSeconds > 0)) {
      throw new IllegalArgumentException(
          "perSecond = " + perSecond + ", periodSeconds = " + periodSeconds + ", rule: above 0");
    }
    this.pattern = pattern;
    this.perSecond = perSecond;
    this.periodSeconds = periodSeconds;
  }

  /**
   * When an arrival is due, in nanoseconds since the beginning.
   *
   * @param index of the arrival, 0-based
   */
  long nanos(long index) {
    return (long) (seconds(index / perSecond) * NANOS);
  }

  /** Arrivals that are due before a moment. */
  long countBefore(double seconds) {
    return seconds <= 0 ? 0 : (long) Math.ceil(work(seconds) * perSecond);
  }

  /** The moment at which a constant pattern would be at {@code even} seconds. */
  private double seconds(double even) {
    double periods = Math.floor(even / periodSeconds);
    double rest = even - periods * periodSeconds;
    return periods * periodSeconds
        + switch (pattern) {
          case CONSTANT -> rest;
          case BURSTY -> burstySeconds(rest);
          case PERIODIC -> periodicSeconds(rest);
        };
  }

  /** The inverse of {@link #seconds}: the mean of the rate up to a moment, times the moment. */
  private double work(double seconds) {
    double periods = Math.floor(seconds / periodSeconds);
    double rest = seconds - periods * periodSeconds;
    return periods * periodSeconds
        + switch (pattern) {
          case CONSTANT -> rest;
          case BURSTY -> {
            double normal = Math.min(rest, normalSeconds());
            yield normalRate() * (normal + BURST_FACTOR * (rest - normal));
          }
          case PERIODIC -> periodicWork(rest);
        };
  }

  private double normalSeconds() {
    return periodSeconds * (1 - BURST_SHARE);
  }

  /** Normal traffic as a share of the mean: 5/6 + 4/6 of it is the mean. */
  private static double normalRate() {
    return 1 / (1 - BURST_SHARE + BURST_SHARE * BURST_FACTOR);
  }

  private double burstySeconds(double even) {
    double normalWork = normalRate() * normalSeconds();
    return even <= normalWork
        ? even / normalRate()
        : normalSeconds() + (even - normalWork) / (normalRate() * BURST_FACTOR);
  }

  private double periodicWork(double seconds) {
    double angle = 2 * Math.PI / periodSeconds;
    return seconds + AMPLITUDE / angle * (1 - Math.cos(angle * seconds));
  }

  /** Newton's method; the slope is at least half, so that a few steps are exact to a nanosecond. */
  private double periodicSeconds(double even) {
    double angle = 2 * Math.PI / periodSeconds;
    double seconds = even;
    for (int step = 0; step < 20; step++) {
      double error = periodicWork(seconds) - even;
      if (Math.abs(error) < 1e-10) {
        break;
      }
      seconds -= error / (1 + AMPLITUDE * Math.sin(angle * seconds));
    }
    return seconds;
  }
}
