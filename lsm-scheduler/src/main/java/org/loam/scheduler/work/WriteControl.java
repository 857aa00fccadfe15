package org.loam.scheduler.work;

/** How fast a tree takes writes before its component constraint is violated. Pure, immutable. */
public interface WriteControl {
  /**
   * What L0 of a tree is like.
   *
   * @param depth the largest number of its components that hold one key
   * @param due the depth at which it is merged
   * @param fill its bytes, divided by those of a full L1
   */
  record L0(int depth, int due, long bytes, double fill) {}

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
   * long one: from twice the rate of relief where they begin to slow down to an eighth of it at the
   * end, by the same factor for each step of the way. A closed loop settles after a quarter of the
   * way, where the rate is that of the relief. The rest of it is room for what is written until the
   * next merge ends, since each takes a large part of L0 at once.
   *
   * <p>The depth of L0 and its bytes each have such a way, which begins half-way between a due
   * merge and the end: the deeper L0 is when it is merged, the fewer bytes are written. The one on
   * which L0 is further counts. Where scans come, L0 is due earlier. Then there is a way before
   * that of the depth, as long and half as steep, so that L0 stays less deep, however far the stop
   * is.
   *
   * @param depths how far before the stop L0 is due at the latest, at least 1
   * @param stop depth at which writers stop
   * @param stopFill bytes at which they stop, as {@link L0#fill}, at least 1
   * @param leastBytesPerSecond however slow the relief: merges may fail, and then the stop is what
   *     bounds L0
   */
  record Pace(int depths, int stop, double stopFill, double leastBytesPerSecond)
      implements WriteControl {
    private static final double LEAST_BYTES_PER_SECOND = 1 << 20;

    /**
     * The pace of a tree.
     *
     * @param maxMerge the largest depth from which on L0 is merged
     * @param stop depth at which writers stop
     * @param stopFill bytes at which they stop, as {@link L0#fill}, at least 1
     */
    public static Pace of(int maxMerge, int stop, double stopFill) {
      return new Pace(Math.max(1, stop - maxMerge), stop, stopFill, LEAST_BYTES_PER_SECOND);
    }

    @Override
    public boolean isDue(L0 l0) {
      return l0.depth() >= l0.due() || l0.fill() >= 1;
    }

    @Override
    public double bytesPerSecond(L0 l0, double reliefBytesPerSecond) {
      if (l0.depth() >= stop || l0.fill() >= stopFill) {
        return UNLIMITED;
      }
      double deep = goneTo(stop, l0.depth());
      double early = goneTo(l0.due() + depths, l0.depth()) / 2;
      double full = gone(l0.fill(), (1 + stopFill) / 2, stopFill);
      double gone = Math.max(deep, Math.max(early, full));
      return gone < 0
          ? UNLIMITED
          : Math.max(leastBytesPerSecond, reliefBytesPerSecond * 2 * Math.pow(16, -gone));
    }

    private double goneTo(int end, int depth) {
      return gone(depth, end - depths / 2, end);
    }

    /** How far L0 has come on a way: below 0 before it, 0 at the beginning, 1 from the end on. */
    private static double gone(double now, double from, double end) {
      return now < from ? -1 : now >= end ? 1 : (now - from) / (end - from);
    }
  }
}
