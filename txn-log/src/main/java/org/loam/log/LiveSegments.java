package org.loam.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.log.recover.LogChain;

/**
 * The segments that hold the log between the truncation LSN and its end, oldest first; the last is
 * the current one. Thread-safe; nothing is called under the monitor.
 */
final class LiveSegments {
  private final Monitor monitor;

  @GuardedBy("monitor")
  private final Deque<LogSegment> segments = new ArrayDeque<>();

  /** While there are any, no segment becomes free. */
  @GuardedBy("monitor")
  private int holds;

  /** Written under the monitor. */
  private volatile long truncationLsn;

  /** {@code endLsn - lengthOffset} is the number of written bytes since the truncation LSN. */
  private volatile long lengthOffset;

  /** Written under the monitor. */
  private volatile Written written = new Written(0, 0);

  /**
   * What this life of the log has written.
   *
   * @param beforeBytes of the frames in front of the current segment
   * @param fromLsn where those of the current segment begin
   */
  private record Written(long beforeBytes, long fromLsn) {
    long to(long endLsn) {
      // The end may still be that of the segment before.
      return beforeBytes + Math.max(0, endLsn - fromLsn);
    }
  }

  /** Starts with the segments of earlier lives of the log. */
  LiveSegments(StorageEnv env, LogChain chain, long truncationLsn) {
    monitor = env.waiter().newMonitor("live log segments");
    this.truncationLsn = truncationLsn;
    for (LogChain.Link link : chain.links()) {
      segments.add(LogSegment.recovered(link.file().path(), link.file().header(), link.endLsn()));
    }
  }

  /** Makes the first segment of this life the current one. */
  void add(LogSegment segment) {
    monitor.lock();
    try {
      segments.add(segment);
      truncationLsn = Math.max(truncationLsn, segments.getFirst().header().dataStartLsn());
      written = new Written(0, segment.header().dataStartLsn());
      countLength();
    } finally {
      monitor.unlock();
    }
  }

  /** Makes a segment the current one after the one that is, whose frames end at an LSN. */
  void advance(long currentEndLsn, LogSegment next) {
    monitor.lock();
    try {
      segments.getLast().finish(currentEndLsn);
      segments.add(next);
      written = new Written(written.to(currentEndLsn), next.header().dataStartLsn());
      countLength();
    } finally {
      monitor.unlock();
    }
  }

  /** The segments that may hold bytes not forced yet, oldest first. */
  List<LogSegment> unforced() {
    monitor.lock();
    try {
      List<LogSegment> unforced = new ArrayList<>(segments.size());
      for (LogSegment segment : segments) {
        if (!segment.isRetired()) {
          unforced.add(segment);
        }
      }
      return unforced;
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Ends the use of a segment that was forced to its end.
   *
   * @return the segments that this made free
   */
  List<LogSegment> retire(LogSegment segment) {
    segment.release();
    monitor.lock();
    try {
      segment.retire();
      return removeTruncated();
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Moves the truncation LSN up.
   *
   * @return the segments that this made free
   */
  List<LogSegment> truncate(long lsn) {
    monitor.lock();
    try {
      if (lsn <= truncationLsn) {
        return List.of();
      }
      truncationLsn = lsn;
      List<LogSegment> freed = removeTruncated();
      countLength();
      return freed;
    } finally {
      monitor.unlock();
    }
  }

  /** Keeps all segments that there are and that come, until {@link #endHold}. */
  void hold() {
    monitor.lock();
    try {
      holds++;
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Ends one {@link #hold}.
   *
   * @return the segments that this made free
   */
  List<LogSegment> endHold() {
    monitor.lock();
    try {
      holds--;
      return removeTruncated();
    } finally {
      monitor.unlock();
    }
  }

  /** The segments with the log from one LSN up to another, oldest first. */
  List<LogSegment> between(long fromLsn, long endLsn) {
    monitor.lock();
    try {
      return segments.stream()
          .filter(s -> s.header().limitLsn() > fromLsn && s.header().baseLsn() < endLsn)
          .toList();
    } finally {
      monitor.unlock();
    }
  }

  long truncationLsn() {
    return truncationLsn;
  }

  /** Written bytes between the truncation LSN and the given end of the log. */
  long lengthBytes(long endLsn) {
    return Math.max(0, endLsn - lengthOffset);
  }

  /**
   * Bytes of the frames that this life of the log has written up to an end of it. To be asked with
   * an end that was read before.
   */
  long writtenBytes(long endLsn) {
    return written.to(endLsn);
  }

  /** Their number. */
  int count() {
    monitor.lock();
    try {
      return segments.size();
    } finally {
      monitor.unlock();
    }
  }

  /**
   * A segment is free once a later one holds the truncation LSN. Until then a replay begins in it,
   * even if all of its frames lie below.
   */
  @GuardedBy("monitor")
  private List<LogSegment> removeTruncated() {
    List<LogSegment> freed = new ArrayList<>();
    while (holds == 0 && segments.size() > 1 && segments.getFirst().isRetired()) {
      LogSegment oldest = segments.removeFirst();
      if (segments.getFirst().header().baseLsn() > truncationLsn) {
        segments.addFirst(oldest);
        break;
      }
      freed.add(oldest);
    }
    return freed;
  }

  /** Leaves out the LSNs between segments, where no frame lies. */
  @GuardedBy("monitor")
  private void countLength() {
    long writtenTo = truncationLsn;
    long unused = 0;
    for (LogSegment segment : segments) {
      unused += Math.max(0, segment.header().dataStartLsn() - writtenTo);
      writtenTo = Math.max(writtenTo, segment.endLsn());
    }
    lengthOffset = truncationLsn + unused;
  }
}
