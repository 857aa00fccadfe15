package org.loam.log;

import org.loam.common.env.StorageFile;
import org.loam.common.mem.Mem;
import org.loam.log.format.SegmentHeader;

/**
 * The bytes of a segment between its header copies, mapped in windows. A window is unmapped once
 * the log has passed it, before it is forced: to write a page that is mapped, the kernel takes away
 * the right to store to it and interrupts every processor that might have it, one page after the
 * other.
 *
 * <p>One thread copies and passes, another one unmaps what was passed.
 */
final class SegmentWindows {
  private final StorageFile.Mapping[] mappings;
  private final long baseLsn;
  private final long dataStartLsn;
  private final long windowBytes;

  /** The window entered last, from where to where, and what makes its addresses of LSNs. */
  private long windowStartLsn;

  private long windowEndLsn;
  private long addressOffset;

  /** The number of windows, from the first on, that no thread copies to any more. */
  private volatile int passed;

  /** Where the first window ends that is not passed. */
  private long passLsn;

  /** Windows that are unmapped, at most those passed; for the unmapping thread. */
  private int closed;

  private SegmentWindows(StorageFile.Mapping[] mappings, SegmentHeader header, long windowBytes) {
    this.mappings = mappings;
    this.baseLsn = header.baseLsn();
    this.dataStartLsn = header.dataStartLsn();
    this.windowBytes = windowBytes;
    this.passLsn = baseLsn + windowBytes;
  }

  /**
   * Maps the data of a segment. Each window begins at a multiple of the window size in the file,
   * except the first, which begins with the data.
   */
  static SegmentWindows map(StorageFile file, SegmentHeader header, long windowBytes) {
    long start = header.dataStartLsn() - header.baseLsn();
    long end = header.dataEndLsn() - header.baseLsn();
    int count = Math.toIntExact((end + windowBytes - 1) / windowBytes);
    StorageFile.Mapping[] mappings = new StorageFile.Mapping[count];
    SegmentWindows windows = new SegmentWindows(mappings, header, windowBytes);
    boolean mapped = false;
    try {
      for (int i = 0; i < count; i++) {
        long from = Math.max(start, i * windowBytes);
        mappings[i] = file.map(from, Math.min(end, (i + 1) * windowBytes) - from);
      }
      mapped = true;
    } finally {
      if (!mapped) {
        windows.close();
      }
    }
    return windows;
  }

  /**
   * Copies bytes to their place.
   *
   * @param lsn in no window passed, nor may the bytes go beyond the last window
   */
  void put(long lsn, long from, int length) {
    long end = lsn + length;
    for (long at = lsn; at < end; ) {
      long to = address(at);
      long bytes = Math.min(end, windowEndLsn) - at;
      Mem.copy(from + (at - lsn), to, bytes);
      at += bytes;
    }
  }

  /** Whether every page of the bytes from {@code lsn} up to {@code endLsn} can be read. */
  boolean reaches(long lsn, long endLsn, PageProbe probe) {
    for (long at = lsn; at < endLsn; ) {
      long from = address(at);
      long bytes = Math.min(endLsn, windowEndLsn) - at;
      if (!probe.reaches(from, from + bytes)) {
        return false;
      }
      at += bytes;
    }
    return true;
  }

  /** Says that nothing before an LSN will be touched any more. */
  void pass(long lsn) {
    if (lsn >= passLsn) {
      long before = (lsn - baseLsn) / windowBytes;
      passLsn = baseLsn + (before + 1) * windowBytes;
      passed = (int) Math.min(mappings.length, before);
    }
  }

  /** Unmaps what was passed. */
  void closePassed() {
    int to = passed;
    for (; closed < to; closed++) {
      mappings[closed].close();
    }
  }

  /** Unmaps everything. */
  void close() {
    for (; closed < mappings.length && mappings[closed] != null; closed++) {
      mappings[closed].close();
    }
  }

  /** Enters the window of an LSN; returns where it is. */
  private long address(long lsn) {
    if (lsn < windowStartLsn || lsn >= windowEndLsn) {
      int window = Math.toIntExact((lsn - baseLsn) / windowBytes);
      StorageFile.Mapping mapping = mappings[window];
      windowEndLsn = baseLsn + (window + 1) * windowBytes;
      windowStartLsn = Math.max(dataStartLsn, windowEndLsn - windowBytes);
      addressOffset = mapping.address() - windowStartLsn;
    }
    return lsn + addressOffset;
  }
}
