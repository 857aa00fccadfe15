package org.loam.engine.tuning;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.common.codec.Hash64;
import org.loam.lsm.TreeServices;
import org.loam.tuner.cost.Rewrites;
import org.loam.tuner.ghost.RewriteSampler;

/**
 * Shows the keys that are written to the sample of their reuse distances, and those of its keys
 * that readers missed. Thread-safe. It looks at nothing before {@link #begin} and after {@link
 * #end}.
 */
public final class WriteWatch implements TreeServices.MissedKeys {
  private final long poolBytes;
  private final PageWatch pages;

  /** Null while nothing is looked at. */
  private volatile @Nullable RewriteSampler rewrites;

  /**
   * @param poolBytes write memory and buffer cache
   * @param pages which says how long ago pages were used
   */
  public WriteWatch(long poolBytes, PageWatch pages) {
    this.poolBytes = poolBytes;
    this.pages = pages;
  }

  /** Looks at keys from now on. */
  public void begin() {
    rewrites = new RewriteSampler(poolBytes);
  }

  /** Looks at nothing from now on. */
  public void end() {
    rewrites = null;
  }

  /** A key was written or deleted. */
  public void written(byte[] key, int treeId) {
    RewriteSampler sampler = rewrites;
    if (sampler != null) {
      sampler.written(treeId, id(treeId, Hash64.of(key, 0, key.length)));
    }
  }

  private static long id(int treeId, long hash) {
    return hash ^ Hash64.of(treeId);
  }

  @Override
  public boolean wants(int treeId, long hash) {
    RewriteSampler sampler = rewrites;
    return sampler != null && sampler.samples(id(treeId, hash));
  }

  @Override
  public void missed(int treeId, long hash, double usedSince) {
    RewriteSampler sampler = rewrites;
    if (sampler != null && Double.isInfinite(usedSince)) {
      sampler.missed(id(treeId, hash));
    } else if (sampler != null) {
      // Beside more write memory the cache has too little for the pages used since.
      double fromBytes = poolBytes - usedSince * pages.pageBytes();
      sampler.wouldMiss(id(treeId, hash), fromBytes, pages.pagesOfSampled());
    }
  }

  /** {@link RewriteSampler#endCycle}, with its parameters. */
  Rewrites endCycle(
      long writes, long memoryBytes, long memoryKeys, Map<Integer, Double> treeShares) {
    RewriteSampler sampler = rewrites;
    return sampler == null
        ? Rewrites.UNKNOWN
        : sampler.endCycle(writes, memoryBytes, memoryKeys, treeShares);
  }
}
