package org.loam.workbench.workload;

import java.util.SplittableRandom;

/**
 * Ranks drawn with probability proportional to 1 / (rank + 1)^theta: rank 0 is the most popular.
 *
 * <p>The method of Gray et al., "Quickly generating billion-record synthetic databases" (SIGMOD
 * 1994), as the Yahoo! Cloud Serving Benchmark uses it. Immutable; building one takes time
 * proportional to the number of ranks, so threads share it.
 */
public final class Zipfian {
  /** The skew of the Yahoo! Cloud Serving Benchmark. */
  public static final double THETA = 0.99;

  private final long count;
  private final double theta;
  private final double zetaN;
  private final double alpha;
  private final double eta;
  private final double secondThreshold;

  /**
   * @param count of ranks
   * @param theta the skew, above 0 and below 1: the method has no other
   */
  public Zipfian(long count, double theta) {
    if (count < 1) {
      throw new IllegalArgumentException("count = " + count + ", rule: at least 1");
    }
    if (!(theta > 0 && theta < 1)) {
      throw new IllegalArgumentException("theta = " + theta + ", rule: above 0 and below 1");
    }
    this.count = count;
    this.theta = theta;
    this.zetaN = zeta(count, theta);
    this.alpha = 1 / (1 - theta);
    this.eta = (1 - Math.pow(2.0 / count, 1 - theta)) / (1 - zeta(2, theta) / zetaN);
    this.secondThreshold = 1 + Math.pow(0.5, theta);
  }

  public long count() {
    return count;
  }

  /** A rank from 0 to {@code count} - 1. */
  public long next(SplittableRandom random) {
    double u = random.nextDouble();
    double uz = u * zetaN;
    if (uz < 1) {
      return 0;
    }
    if (uz < secondThreshold) {
      return Math.min(1, count - 1);
    }
    return Math.min(count - 1, (long) (count * Math.pow(eta * u - eta + 1, alpha)));
  }

  /** The probability of a rank, as the distribution has it. */
  public double probability(long rank) {
    return 1 / Math.pow(rank + 1.0, theta) / zetaN;
  }

  private static double zeta(long count, double theta) {
    double sum = 0;
    for (long i = 1; i <= count; i++) {
      sum += 1 / Math.pow((double) i, theta);
    }
    return sum;
  }
}
