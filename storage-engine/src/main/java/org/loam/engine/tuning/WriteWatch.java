package org.loam.engine.tuning;

import org.jspecify.annotations.Nullable;
import org.loam.common.codec.Hash64;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.ghost.RewriteSampler;

/**
 * Shows the keys that are written to the sample of their reuse distances. Thread-safe. It looks at
 * nothing before {@link #begin} and after {@link #end}.
 */
public final class WriteWatch {
  private final long poolBytes;

  /** Null while nothing is looked at. */
  private volatile @Nullable RewriteSampler rewrites;

  /**
   * @param poolBytes write memory and buffer cache
   */
  public WriteWatch(long poolBytes) {
    this.poolBytes = poolBytes;
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
      sampler.written(Hash64.of(key, 0, key.length) ^ Hash64.of(treeId));
    }
  }

  /**
   * Entries flushed of an entry written, with {@link RewriteSampler#endCycle} and its parameters.
   */
  MissCurve endCycle(long writes, long memoryBytes, long memoryKeys) {
    RewriteSampler sampler = rewrites;
    return sampler == null ? MissCurve.UNKNOWN : sampler.endCycle(writes, memoryBytes, memoryKeys);
  }
}
