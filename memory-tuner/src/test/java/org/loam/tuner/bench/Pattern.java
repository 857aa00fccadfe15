package org.loam.tuner.bench;

import java.util.SplittableRandom;

/** Which keys of a tree are chosen. */
interface Pattern {
  /** The next key, from 0 on, below the number of keys. */
  int next(SplittableRandom random);

  /** Keys of one popularity. */
  static Pattern uniform(int keys) {
    return random -> random.nextInt(keys);
  }

  /**
   * YCSB's: popularity by a Zipf distribution. Keys that are as popular as each other share a page,
   * as in an LSM-tree those that are written often share the pages of its upper levels; the pages
   * of popular keys are anywhere among the others.
   */
  static Pattern zipf(int keys, double theta) {
    return new Zipf(keys, theta, 0x9E3779B97F4A7C15L);
  }

  /** The same, with other popular keys. */
  static Pattern otherZipf(int keys, double theta) {
    return new Zipf(keys, theta, 0xC2B2AE3D27D4EB4FL);
  }

  /** One of two patterns, the first one so often. */
  static Pattern either(Pattern first, double firstPart, Pattern second) {
    return random -> (random.nextDouble() < firstPart ? first : second).next(random);
  }

  /** NURand of TPC-C: bits that are or-ed are set more often. */
  static Pattern nuRand(int keys, int bits) {
    return random -> (random.nextInt(1 << bits) | random.nextInt(keys)) % keys;
  }

  /** One key after the other, and again from the first on: each replaces the oldest. */
  static Pattern ring(int keys, Head head) {
    return random -> {
      head.next = head.next + 1 == keys ? 0 : head.next + 1;
      return head.next;
    };
  }

  /** Keys that a ring has written lately; half of them are the newest {@code half}. */
  static Pattern recent(int keys, Head head, int half) {
    return random -> {
      double age = -Math.log(1 - random.nextDouble()) / Math.log(2) * half;
      return Math.floorMod(head.next - (int) Math.min(age, keys - 1), keys);
    };
  }

  /** Where a ring is. */
  final class Head {
    private int next;
  }

  /** After Gray et al., SIGMOD 1994. */
  final class Zipf implements Pattern {
    /** Keys as popular as each other. */
    private static final int BESIDE = World.RECORDS_PER_PAGE;

    private final int keys;
    private final double theta;
    private final long multiplier;
    private final double zeta;
    private final double alpha;
    private final double eta;

    Zipf(int keys, double theta, long multiplier) {
      this.multiplier = multiplier;
      this.keys = keys;
      this.theta = theta;
      double sum = 0;
      for (int i = 1; i <= keys; i++) {
        sum += Math.pow(i, -theta);
      }
      this.zeta = sum;
      this.alpha = 1 / (1 - theta);
      this.eta = (1 - Math.pow(2.0 / keys, 1 - theta)) / (1 - (1 + Math.pow(0.5, theta)) / zeta);
    }

    @Override
    public int next(SplittableRandom random) {
      double u = random.nextDouble();
      double uz = u * zeta;
      int rank;
      if (uz < 1) {
        rank = 0;
      } else if (uz < 1 + Math.pow(0.5, theta)) {
        rank = 1;
      } else {
        rank = (int) Math.min(keys - 1, keys * Math.pow(eta * u - eta + 1, alpha));
      }
      long scrambled = (rank / BESIDE + 1) * multiplier;
      return (int) ((scrambled >>> 33) % (keys / BESIDE)) * BESIDE + rank % BESIDE;
    }
  }
}
