package org.loam.engine.tuning;

import org.loam.common.codec.Hash64;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.ghost.RewriteSampler;

/** Shows the keys that are written to the sample of their reuse distances. Thread-safe. */
public final class WriteWatch {
  private final RewriteSampler rewrites;

  /**
   * @param poolBytes write memory and buffer cache
   */
  public WriteWatch(long poolBytes) {
    this.rewrites = new RewriteSampler(poolBytes);
  }

  /** A key was written or deleted. */
  public void written(byte[] key, int treeId) {
    rewrites.written(Hash64.of(key, 0, key.length) ^ Hash64.of(treeId));
  }

  /**
   * Entries flushed of an entry written, with {@link RewriteSampler#endCycle} and its parameters.
   */
  MissCurve endCycle(long writes, long memoryBytes, long memoryKeys) {
    return rewrites.endCycle(writes, memoryBytes, memoryKeys);
  }
}
