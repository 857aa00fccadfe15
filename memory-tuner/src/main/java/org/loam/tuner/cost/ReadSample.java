package org.loam.tuner.cost;

/**
 * The reads of one class in one cycle.
 *
 * @param pins pages asked for, in the cache or not; 0 for reads that go past the cache
 * @param missedPages pages that came from disk
 * @param requests requests of the disk that brought them
 * @param savedPages missed pages whose ids the ghost cache had
 */
public record ReadSample(long pins, long missedPages, long requests, long savedPages) {
  /** No reads of a class. */
  public static final ReadSample NONE = new ReadSample(0, 0, 0, 0);

  public ReadSample {
    Require.atLeast("pins", pins, 0);
    Require.atLeast("missedPages", missedPages, 0);
    Require.atLeast("requests", requests, 0);
    Require.atMost("requests", requests, missedPages, "missedPages");
    Require.atLeast("savedPages", savedPages, 0);
    Require.atMost("savedPages", savedPages, missedPages, "missedPages");
  }

  /** This one and a later one of the same class as one. */
  ReadSample plus(ReadSample next) {
    return new ReadSample(
        pins + next.pins,
        missedPages + next.missedPages,
        requests + next.requests,
        savedPages + next.savedPages);
  }
}
