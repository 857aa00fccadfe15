package org.loam.tuner.cost;

/**
 * How memory was divided in one cycle.
 *
 * @param totalBytes the budget: write memory and buffer cache together
 * @param writeBytes the target of the write memory, x
 * @param ghostBytes size of the pages whose ids the ghost cache can keep, sim
 * @param pageBytes size of a page
 */
public record MemorySample(long totalBytes, long writeBytes, long ghostBytes, int pageBytes) {
  public MemorySample {
    Require.atLeast("pageBytes", pageBytes, 1);
    Require.atLeast("totalBytes", totalBytes, 1);
    Require.atLeast("writeBytes", writeBytes, 1);
    Require.atMost("writeBytes", writeBytes, totalBytes, "totalBytes");
    Require.atLeast("ghostBytes", ghostBytes, pageBytes);
  }

  /** What the buffer cache has. */
  public long cacheBytes() {
    return totalBytes - writeBytes;
  }
}
