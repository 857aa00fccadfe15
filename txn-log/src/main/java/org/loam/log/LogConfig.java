package org.loam.log;

/**
 * Settings of the log.
 *
 * @param segmentBytes size of a segment file: a multiple of 4 KiB from 16 KiB to 1 GiB; a frame
 *     takes at most a quarter
 * @param maxLogBytes written bytes since the truncation LSN at which appends have no room any more;
 *     at least two segments
 * @param preparedSegments segments kept ready ahead of the current one, 1 to 16
 * @param retryNanos least time between attempts to create a segment after one failed
 */
public record LogConfig(
    long segmentBytes, long maxLogBytes, int preparedSegments, long retryNanos) {
  private static final long MIN_SEGMENT_BYTES = 16 << 10;
  private static final long MAX_SEGMENT_BYTES = 1 << 30;
  private static final int BLOCK_BYTES = 4096;
  private static final int MIN_WINDOW_BYTES = 16 << 10;
  private static final int MAX_WINDOW_BYTES = 256 << 10;

  /** 64 MiB segments, 1 GiB of log, two segments ahead, 100 ms between attempts. */
  public static final LogConfig DEFAULT = new LogConfig(64 << 20, 1 << 30, 2, 100_000_000);

  public LogConfig {
    require(
        segmentBytes >= MIN_SEGMENT_BYTES
            && segmentBytes <= MAX_SEGMENT_BYTES
            && segmentBytes % BLOCK_BYTES == 0,
        "segmentBytes",
        segmentBytes,
        "a multiple of 4096 from 16384 to 1073741824");
    require(
        maxLogBytes >= 2 * segmentBytes,
        "maxLogBytes",
        maxLogBytes,
        "at least two segments, " + 2 * segmentBytes);
    require(
        preparedSegments >= 1 && preparedSegments <= 16,
        "preparedSegments",
        preparedSegments,
        "from 1 to 16");
    require(retryNanos >= 0, "retryNanos", retryNanos, "at least 0");
  }

  /** These settings with another maximum length. */
  LogConfig withMaxLogBytes(long bytes) {
    return new LogConfig(segmentBytes, bytes, preparedSegments, retryNanos);
  }

  /** The longest payload of a frame: a quarter of a segment, at most 32 MiB. */
  public int maxPayloadBytes() {
    return (int) Math.min(32 << 20, segmentBytes / 4);
  }

  /** Bytes that are forced together even if no thread waits for them: a sixteenth of a segment. */
  long forceBytes() {
    return segmentBytes / 16;
  }

  /**
   * Windows in which a segment is mapped, and pieces in which its file is first written: a power of
   * two, so that no folio of the page cache, which may keep each piece as one, reaches over the end
   * of a window.
   */
  int windowBytes() {
    long share = Long.highestOneBit(forceBytes());
    return (int) Math.max(MIN_WINDOW_BYTES, Math.min(MAX_WINDOW_BYTES, share));
  }

  /**
   * Groups up to this size are written by system calls: at most a window, and less than is forced
   * at once where no write waits for it.
   */
  int smallGroupBytes() {
    return (int) Math.min(windowBytes(), forceBytes() / 2);
  }

  /** Segment files beyond this number are deleted when they are free. */
  int retainedSegments() {
    return (int) Math.min(Integer.MAX_VALUE, maxLogBytes / segmentBytes + 1 + preparedSegments);
  }

  private static void require(boolean holds, String name, long value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", must be " + rule);
    }
  }
}
