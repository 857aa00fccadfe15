package org.loam.common.sim;

import java.util.stream.LongStream;

/** Seeds for long runs: others in every soak, which says where they begin. */
public final class SoakSeeds {
  private static final long FIRST = Long.getLong("loam.soak.first", 1_000_000);

  private SoakSeeds() {}

  /** So many seeds from {@code -Dloam.soak.first=N} on. */
  public static LongStream some(int count) {
    return LongStream.range(FIRST, FIRST + count);
  }
}
