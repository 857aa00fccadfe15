package org.loam.tuner.cost;

/**
 * What requests of the disk cost: a + b · bytes each, as assumed or as {@link MeasuredCosts}. Pages
 * are the wrong unit where a request of 15 neighbouring pages takes little longer than one of a
 * single page; {@link #pages} is as in MemoryWalls, whose figures count them.
 *
 * @param unit what costs are in
 * @param misses a page, or a stretch of pages, that a reader waits for
 * @param streamReads a request of a merge
 * @param streamWrites a request of a flush or a merge
 * @param streamBytes bytes in a request of a flush or a merge
 */
public record CostModel(
    Unit unit, Line misses, Line streamReads, Line streamWrites, long streamBytes) {
  /** What a cost is in. */
  public enum Unit {
    NANOS,
    PAGES
  }

  /**
   * A straight line.
   *
   * @param request what a request costs, a
   * @param perByte what each of its bytes costs, b
   */
  public record Line(double request, double perByte) {
    /** What costs nothing. */
    static final Line NONE = new Line(0, 0);

    public Line {
      Require.within("cost of a request", request, 0, 1e12);
      Require.within("cost of a byte", perByte, 0, 1e12);
    }

    /** A device that takes so many times as long. */
    public Line times(double factor) {
      return new Line(request * factor, perByte * factor);
    }

    /** Both one after the other. */
    Line plus(Line next) {
      return new Line(request + next.request, perByte + next.perByte);
    }

    double of(double requests, double bytes) {
      return request * requests + perByte * bytes;
    }

    private double of(ReadSample read, int pageBytes) {
      return of((double) read.requests(), (double) read.missedPages() * pageBytes);
    }
  }

  public CostModel {
    Require.atLeast("streamBytes", streamBytes, 1);
  }

  /** Each page counts 1, whatever the requests are. */
  public static CostModel pages(int pageBytes) {
    Require.atLeast("pageBytes", pageBytes, 1);
    Line page = new Line(0, 1.0 / pageBytes);
    return new CostModel(Unit.PAGES, page, page, page, pageBytes);
  }

  /** What the missed pages of a class cost. */
  double readCost(ReadClass readClass, ReadSample read, int pageBytes) {
    return (readClass == ReadClass.MERGE ? streamReads : misses).of(read, pageBytes);
  }

  /** What flushes or merges pay for writing so many bytes. */
  double writeCost(double bytes) {
    return streamWrites.of(bytes / streamBytes, bytes);
  }
}
