package org.loam.tuner.ghost;

import java.util.Map;
import org.loam.tuner.cost.Require;
import org.loam.tuner.cost.Rewrites;

/**
 * How many of the writes would find their key gone from write memory of each size, so that a flush
 * writes them: reuse distances of written keys. It also knows how many reads missed a page, or
 * would miss it beside a smaller cache, for a key that a larger write memory would have.
 * Thread-safe; a write whose key is not sampled costs a hash and a comparison. {@link #endCycle}
 * has one thread.
 *
 * <p>Trees share write memory as the flush policy has it: one whose keys are written again soon has
 * more than its part of the last written keys. So the distance of a key counts the keys of its tree
 * alone, and the share of the tree says from which size of write memory on it is there.
 *
 * <p>How many keys fit into the budget follows from what a key takes of write memory, which is
 * known when some are there. When it has changed much the sample begins again, and says nothing for
 * a cycle.
 */
public final class RewriteSampler {
  /** Keys that are kept: fewer say too little, and of more each costs a writer more. */
  private static final int SAMPLED = 4096;

  /** What a key takes until it is known. */
  private static final double ASSUMED_KEY_BYTES = 1024;

  /** Fewer do not say what a key takes: pages are begun for them. */
  private static final long FEW_KEYS = 64;

  /** The sample begins again when a key takes so many times as much or as little. */
  private static final double MUCH = 2;

  private final long totalBytes;
  private volatile double keyBytes = ASSUMED_KEY_BYTES;

  /** What the span of {@link #reuses} counts with. */
  private double spanKeyBytes;

  private volatile ReuseSampler reuses;

  private Map<Integer, Double> shares = Map.of();

  /**
   * @param totalBytes the largest write memory of interest
   */
  public RewriteSampler(long totalBytes) {
    Require.atLeast("totalBytes", totalBytes, 1);
    this.totalBytes = totalBytes;
    this.spanKeyBytes = keyBytes;
    this.reuses = sampler();
  }

  private ReuseSampler sampler() {
    long span = Math.max(1, (long) (totalBytes / keyBytes));
    ReuseSampler sampler = ReuseSampler.ofParts((int) Math.min(SAMPLED, span), span);
    sampler.share(shares);
    return sampler;
  }

  /**
   * A key is written.
   *
   * @param id of the key and its tree
   */
  public void written(int treeId, long id) {
    reuses.usedOf(treeId, id);
  }

  /** Whether a key is in the sample. */
  public boolean samples(long id) {
    return reuses.samples(id);
  }

  /** A read of a key in the sample missed a page: write memory did not have the key. */
  public void missed(long id) {
    reuses.missed(id);
  }

  /**
   * A read of a key in the sample found its page, which a smaller cache would miss.
   *
   * @param fromBytes the least write memory beside which the cache would miss it
   * @param reads how many reads it stands for
   */
  public void wouldMiss(long id, double fromBytes, double reads) {
    reuses.wouldMiss(id, fromBytes / keyBytes, reads);
  }

  /**
   * What the sample says at the end of a cycle.
   *
   * @param writes all of the cycle that ends
   * @param memoryBytes what is used of the write memory, also by versions that were overwritten
   * @param memoryKeys the keys in it
   * @param treeShares the part of write memory that each tree has
   */
  public Rewrites endCycle(
      long writes, long memoryBytes, long memoryKeys, Map<Integer, Double> treeShares) {
    if (memoryKeys >= FEW_KEYS) {
      keyBytes = Math.max(1, (double) memoryBytes / memoryKeys);
    }
    ReuseSampler.Reuses sampled = reuses.endCycle(writes, keyBytes);
    Rewrites rewrites = new Rewrites(sampled.misses(), sampled.missed(), sampled.spared());
    shares = treeShares;
    if (keyBytes > MUCH * spanKeyBytes || keyBytes < spanKeyBytes / MUCH) {
      spanKeyBytes = keyBytes;
      reuses = sampler();
    } else {
      reuses.share(shares);
    }
    return rewrites;
  }
}
