package org.loam.scheduler.work;

/** How fast a tree takes writes before its component constraint is violated. Pure, immutable. */
public interface WriteControl {
  /** As fast as they come. */
  double UNLIMITED = Double.POSITIVE_INFINITY;

  /**
   * Writes go at full speed until the constraint is violated, then wait; no smoother way has lower
   * latency under an open load that can be sustained (Stability, Theorem 1).
   */
  WriteControl STOP =
      new WriteControl() {
        @Override
        public boolean isDue(int l0Depth) {
          return false;
        }

        @Override
        public double bytesPerSecond(int l0Depth, double reliefBytesPerSecond) {
          return UNLIMITED;
        }
      };

  /** Whether there is a merge to be done that relieves L0, so that its relief can be measured. */
  boolean isDue(int l0Depth);

  /**
   * Bytes of L0 per second that writes may make, or bytes that they may write if {@link
   * #limitsWrites}.
   *
   * @param reliefBytesPerSecond bytes that leave L0 while a merge of it is due; {@link #UNLIMITED}
   *     if that is not known yet
   */
  double bytesPerSecond(int l0Depth, double reliefBytesPerSecond);

  /** Whether the rate is that of what is written, however much of it is overwritten in memory. */
  default boolean limitsWrites() {
    return false;
  }

  /** Writes never come faster, whatever L0 is like (Stability §5.2.3). */
  record Limit(double bytesPerSecond) implements WriteControl {
    @Override
    public boolean isDue(int l0Depth) {
      return false;
    }

    @Override
    public double bytesPerSecond(int l0Depth, double reliefBytesPerSecond) {
      return bytesPerSecond;
    }

    @Override
    public boolean limitsWrites() {
      return true;
    }
  }

  /**
   * Writers slow down before they would have to stop, so that many short waits take the place of a
   * long one: from twice the rate of relief at depth {@link #from} of L0 down to half of it at
   * {@link #stop}, each component by the same factor. The rate is that of the relief half-way
   * between them, where a closed loop settles.
   *
   * @param minMerge depth from which on L0 is merged
   * @param from depth from which on writers slow down
   * @param stop depth at which they stop, at least {@code from}
   * @param leastBytesPerSecond however slow the relief: merges may fail, and then the stop is what
   *     bounds L0
   */
  record Pace(int minMerge, int from, int stop, double leastBytesPerSecond)
      implements WriteControl {
    private static final double LEAST_BYTES_PER_SECOND = 1 << 20;

    /**
     * The pace of a tree whose L0 is merged from one depth on and stops its writers at another.
     * They slow down from half-way on: the deeper L0 is when it is merged, the fewer bytes are
     * written.
     */
    public static Pace of(int minMerge, int stop) {
      int from = Math.min(stop, minMerge + (stop - minMerge + 1) / 2);
      return new Pace(minMerge, from, stop, LEAST_BYTES_PER_SECOND);
    }

    @Override
    public boolean isDue(int l0Depth) {
      return l0Depth >= minMerge;
    }

    @Override
    public double bytesPerSecond(int l0Depth, double reliefBytesPerSecond) {
      if (l0Depth < from || l0Depth >= stop) {
        return UNLIMITED;
      }
      double way = (double) (l0Depth - from) / (stop - from);
      return Math.max(leastBytesPerSecond, reliefBytesPerSecond * 2 * Math.pow(4, -way));
    }
  }
}
