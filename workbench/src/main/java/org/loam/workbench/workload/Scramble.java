package org.loam.workbench.workload;

import java.math.BigInteger;

/**
 * A permutation of 0 .. count - 1 that scatters popular ranks over all records, so that what is hot
 * is neither together in key order nor of one age. Unlike hashing modulo the count, it leaves no
 * record out.
 */
public final class Scramble {
  private final long count;
  private final long factor;

  /**
   * @param count at most 2^31, so that the product of rank and factor fits
   */
  public Scramble(long count) {
    if (count < 1 || count > 1L << 31) {
      throw new IllegalArgumentException("count = " + count + ", rule: 1 to 2^31");
    }
    this.count = count;
    // The golden ratio spreads consecutive ranks furthest; coprime to the count it permutes.
    long candidate = Math.max(1, (long) (count * 0.6180339887498949));
    while (!BigInteger.valueOf(candidate).gcd(BigInteger.valueOf(count)).equals(BigInteger.ONE)) {
      candidate++;
    }
    this.factor = candidate;
  }

  /** The index of the record that has this rank. */
  public long index(long rank) {
    return (rank * factor + count / 3) % count;
  }
}
