package org.loam.scheduler.work;

/** How fast a tree takes writes before its component constraint is violated. Pure, immutable. */
public interface WriteControl {
  /**
   * What L0 of a tree is like.
   *
   * @param depth the largest number of its components that hold one key
   * @param fill its bytes, divided by those of a full L1
   */
  record L0(int depth, long bytes, double fill) {}

  /** As fast as they come. */
  double UNLIMITED = Double.POSITIVE_INFINITY;

  /**
   * Writes go at full speed until the constraint is violated, then wait; no smoother way has lower
   * latency under an open load that can be sustained (Stability, Theorem 1).
   */
  WriteControl STOP =
      new WriteControl() {
        @Override
        public boolean isDue(L0 l0) {
          return false;
        }

        @Override
        public double bytesPerSecond(L0 l0, double reliefBytesPerSecond) {
          return UNLIMITED;
        }
      };

  /** Whether there is a merge to be done that relieves L0, so that its relief can be measured. */
  boolean isDue(L0 l0);

  /**
   * Bytes of L0 per second that writes may make, or bytes that they may write if {@link
   * #limitsWrites}.
   *
   * @param reliefBytesPerSecond bytes that leave L0 while a merge of it is due; {@link #UNLIMITED}
   *     if that is not known yet
   */
  double bytesPerSecond(L0 l0, double reliefBytesPerSecond);

  /** Whether the rate is that of what is written, however much of it is overwritten in memory. */
  default boolean limitsWrites() {
    return false;
  }

  /** Writes never come faster, whatever L0 is like (Stability §5.2.3). */
  record Limit(double bytesPerSecond) implements WriteControl {
    @Override
    public boolean isDue(L0 l0) {
      return false;
    }

    @Override
    public double bytesPerSecond(L0 l0, double reliefBytesPerSecond) {
      return bytesPerSecond;
    }

    @Override
    public boolean limitsWrites() {
      return true;
    }
  }

  /**
   * Writers slow down before they would have to stop, so that many short waits take the place of a
   * long one: from twice the rate of relief where they begin to slow down to half of it where they
   * stop, by the same factor for each step of the way. The rate is that of the relief half-way
   * between them, where a closed loop settles. The depth of L0 and its bytes each have such a way;
   * the one on which L0 is further counts.
   *
   * @param depth the depth of L0
   * @param fill the bytes of L0, as {@link L0#fill}
   * @param leastBytesPerSecond however slow the relief: merges may fail, and then the stop is what
   *     bounds L0
   */
  record Pace(Way depth, Way fill, double leastBytesPerSecond) implements WriteControl {
    private static final double LEAST_BYTES_PER_SECOND = 1 << 20;

    /**
     * What one measure of L0 means.
     *
     * @param due from which on L0 is merged
     * @param from from which on writers slow down
     * @param stop at which they stop, at least {@code from}
     */
    public record Way(double due, double from, double stop) {
      /** How far it has come: 0 at the beginning, 1 at the stop and beyond. */
      private double gone(double now) {
        return now < from ? -1 : now >= stop ? 1 : (now - from) / (stop - from);
      }
    }

    /**
     * The pace of a tree. Writers slow down from half-way on: the deeper L0 is when it is merged,
     * the fewer bytes are written.
     *
     * @param minMerge depth from which on L0 is merged
     * @param stop depth at which writers stop
     * @param stopFill bytes at which they stop, as {@link L0#fill}, at least 1
     */
    public static Pace of(int minMerge, int stop, double stopFill) {
      int from = Math.min(stop, minMerge + (stop - minMerge + 1) / 2);
      return new Pace(
          new Way(minMerge, from, stop),
          new Way(1, (1 + stopFill) / 2, stopFill),
          LEAST_BYTES_PER_SECOND);
    }

    @Override
    public boolean isDue(L0 l0) {
      return l0.depth() >= depth.due || l0.fill() >= fill.due;
    }

    @Override
    public double bytesPerSecond(L0 l0, double reliefBytesPerSecond) {
      double gone = Math.max(depth.gone(l0.depth()), fill.gone(l0.fill()));
      if (gone < 0 || gone >= 1) {
        return UNLIMITED;
      }
      return Math.max(leastBytesPerSecond, reliefBytesPerSecond * 2 * Math.pow(4, -gone));
    }
  }
}
