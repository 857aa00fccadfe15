package org.loam.tuner.bench;

import org.loam.tuner.cost.CostModel;

/**
 * A disk, and what runs before it: clients, each with one operation at a time. It serves flushes
 * and merges piece by piece, and a miss waits for the rest of the piece that it meets.
 *
 * @param requests what requests take that wait for no other
 * @param diskPart part of the misses that come to the disk; the others are copies from the page
 *     cache of the operating system, and wait for nothing
 */
record Device(CostModel requests, double diskPart) {
  /** Bytes of a request of a merge. */
  static final int STREAM_BYTES = 1 << 20;

  /** What an operation takes without the disk. */
  static final double OPERATION_NANOS = 4000;

  static final int CLIENTS = 2;

  /** The disk is busy with a piece of 128 KiB at 1.2 GB/s for so long. */
  static final double PIECE_NANOS = 109_000;

  /** A disk of 12,500 requests a second, 400 MB/s written and 1 GB/s read. */
  static final Device DISK = of(1);

  /** The same disk, to which one part of the misses comes. */
  static Device of(double diskPart) {
    CostModel requests =
        new CostModel(
            CostModel.Unit.NANOS,
            new CostModel.Line(76_000, 0.25).times(diskPart),
            new CostModel.Line(76_000, 1),
            new CostModel.Line(76_000, 2.5),
            STREAM_BYTES);
    return new Device(requests, diskPart);
  }

  /** A miss that waits for no other request; the mean of copies and those that come to the disk. */
  double missNanos() {
    return requests.misses().request() + requests.misses().perByte() * World.PAGE_BYTES;
  }

  double writeNanos(double bytes) {
    return streams(requests.streamWrites(), bytes);
  }

  double readNanos(double bytes) {
    return streams(requests.streamReads(), bytes);
  }

  private static double streams(CostModel.Line line, double bytes) {
    return line.request() * bytes / STREAM_BYTES + line.perByte() * bytes;
  }

  /**
   * How long the misses of an operation wait in the mean. While there is background work an
   * operation takes longer, so that fewer of them meet it.
   *
   * @param background flushes and merges of an operation, in nanoseconds
   * @param misses of an operation
   */
  double waitingNanos(double background, double misses) {
    double waiting = misses * diskPart * PIECE_NANOS / 2;
    double besideNanos = (OPERATION_NANOS + misses * missNanos() + waiting) / CLIENTS;
    return waiting * Math.min(1, background / besideNanos);
  }
}
