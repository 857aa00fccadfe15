package org.loam.tuner.cost;

/**
 * How memory was divided in one cycle.
 *
 * @param totalBytes the budget: write memory and buffer cache together
 * @param writeBytes what write memory had at the end of the cycle, x; a move of memory that is
 *     under way is on its way to another size
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

  /** Whether write memory had a size: an engine has whole pages. */
  public boolean isAt(long bytes) {
    return Math.abs(writeBytes - bytes) < pageBytes;
  }
}
