package org.loam.common.env.real;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * SplitMix64 with an atomic state: unlike {@code SplittableRandom}, threads may share it. Each
 * value is one atomic addition and a mix; nothing here is fit for security.
 */
final class SharedRandom implements RandomGenerator {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private final AtomicLong state;

  SharedRandom(long seed) {
    this.state = new AtomicLong(seed);
  }

  @Override
  public long nextLong() {
    long z = state.addAndGet(GOLDEN_GAMMA);
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
