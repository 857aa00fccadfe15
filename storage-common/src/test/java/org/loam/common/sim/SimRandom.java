package org.loam.common.sim;

import java.util.random.RandomGenerator;

/** SplitMix64: one of the independent random streams of a simulation. Guarded by the baton. */
final class SimRandom implements RandomGenerator {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private long state;

  /**
   * @param stream tells the streams of one seed apart
   */
  SimRandom(long seed, int stream) {
    this.state = mix(seed) ^ mix(stream * GOLDEN_GAMMA + 1);
  }

  @Override
  public long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  /** A number in [0, bound). */
  int below(int bound) {
    return (int) (((nextLong() >>> 32) * bound) >>> 32);
  }

  /** True once in {@code n} times. */
  boolean oneIn(int n) {
    return below(n) == 0;
  }

  static long mix(long x) {
    long z = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
