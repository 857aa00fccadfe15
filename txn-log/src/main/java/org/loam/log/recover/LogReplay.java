package org.loam.log.recover;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.CorruptionException;
import org.loam.common.mem.Mem;
import org.loam.log.format.FrameLayout;
import org.loam.log.format.SegmentHeader;
import org.loam.log.format.SegmentLink;
import org.loam.log.recover.LogChain.Link;

/**
 * One pass over the log, from a truncation LSN to its end. Used once, by one thread.
 *
 * <p>The way from segment to segment is named, never guessed: by the SEGMENT_END frame of a full
 * segment, or by the header of one in which an earlier recovery ended the log. Both were forced
 * before the named segment held a frame, so a named segment that is not there is damage. Segments
 * that nothing names are leftovers and never replayed.
 *
 * <p>The first bad place in the last segment is the end of the log, unless something says that the
 * bytes there were durable: a frame anywhere behind it, the header of a later segment, or the
 * caller. Then it is damage.
 */
public final class LogReplay {
  private final StorageFiles files;
  private final SegmentCatalog catalog;
  private final FrameConsumer consumer;
  private final long fromLsn;
  private final long knownDurableLsn;
  private final List<Link> chain = new ArrayList<>();
  private long frames;
  private long payloadBytes;
  private long endLsn;
  private long durableLsn;
  private ReplayReport.@Nullable Cut cut;
  private ReplayReport.@Nullable Mark mark;

  /**
   * Prepares a replay.
   *
   * @param fromLsn truncation LSN; 0 for a log that was never truncated
   * @param knownDurableLsn exclusive end LSN that the caller knows to have been forced, 0 if none
   */
  public LogReplay(
      StorageFiles files,
      SegmentCatalog catalog,
      long fromLsn,
      long knownDurableLsn,
      FrameConsumer consumer) {
    this.files = files;
    this.catalog = catalog;
    this.fromLsn = fromLsn;
    this.knownDurableLsn = Math.max(fromLsn, knownDurableLsn);
    this.consumer = consumer;
    durableLsn = this.knownDurableLsn;
  }

  /**
   * Delivers the batches.
   *
   * @throws CorruptionException if a part of the log that was durable is damaged or missing
   */
  public ReplayReport run() {
    SegmentFile segment = first();
    while (segment != null) {
      try (SegmentWindow window = new SegmentWindow(files, segment)) {
        segment = walk(segment, window);
      }
    }
    List<Path> damaged =
        catalog.bySequence().stream()
            .filter(SegmentFile::copyDamaged)
            .map(SegmentFile::path)
            .toList();
    return new ReplayReport(frames, payloadBytes, endLsn, cut, mark, damaged);
  }

  /** The segments replayed; only after {@link #run}. */
  public LogChain chain() {
    return new LogChain(chain, durableLsn);
  }

  private @Nullable SegmentFile first() {
    if (fromLsn == 0) {
      SegmentFile first = catalog.find(1);
      if (first == null && (knownDurableLsn > 0 || !catalog.bySequence().isEmpty())) {
        throw new CorruptionException(
            "the first log segment is missing; the log is needed from its start, found "
                + describeSegments());
      }
      return first;
    }
    SegmentFile segment = catalog.floor(fromLsn);
    if (segment == null || fromLsn >= segment.header().limitLsn()) {
      throw new CorruptionException(
          "the log is needed from LSN "
              + fromLsn
              + ", but no segment holds it; found "
              + describeSegments());
    }
    return segment;
  }

  private String describeSegments() {
    List<String> ranges =
        catalog.bySequence().stream()
            .map(s -> s.path().getFileName() + " from LSN " + s.header().baseLsn())
            .toList();
    return ranges.isEmpty() ? "no segments" : String.join(", ", ranges);
  }

  /** Follows the frames of one segment; returns the next one, or null at the end of the log. */
  private @Nullable SegmentFile walk(SegmentFile segment, SegmentWindow window) {
    SegmentHeader header = segment.header();
    FrameCheck check = new FrameCheck(segment, window);
    long lsn = startLsn(header, check);
    while (true) {
      if (header.isClosed() && lsn >= header.closing().endLsn()) {
        return closed(segment, lsn);
      }
      String fault = check.fault(lsn);
      if (fault != null) {
        end(segment, check, window, lsn, fault);
        return null;
      }
      long frame = window.at(lsn, FrameLayout.HEADER_BYTES);
      durableLsn = Math.max(durableLsn, FrameLayout.durableUpTo(frame));
      int length = FrameLayout.payloadLength(frame);
      long nextLsn = lsn + FrameLayout.frameBytes(length);
      frame = window.at(lsn, (long) FrameLayout.HEADER_BYTES + length);
      if (lsn < fromLsn && nextLsn > fromLsn) {
        throw new CorruptionException(
            place(segment, lsn)
                + ": a frame goes on to LSN "
                + nextLsn
                + ", but the log is needed from LSN "
                + fromLsn
                + ", where no frame begins");
      }
      switch (FrameLayout.type(frame)) {
        case FrameLayout.BATCH -> deliver(lsn, nextLsn, frame, length);
        case FrameLayout.MARK -> mark = readMark(frame);
        case FrameLayout.SEGMENT_END -> {
          chain.add(new Link(segment, nextLsn));
          return follow(segment, lsn, readLink(frame));
        }
        case FrameLayout.SEAL -> {
          if (!header.isClosed()) {
            sealed(segment, nextLsn);
            return null;
          }
        }
        default -> throw new AssertionError("unchecked frame type at LSN " + lsn);
      }
      lsn = nextLsn;
    }
  }

  private long startLsn(SegmentHeader header, FrameCheck check) {
    boolean jump = chain.isEmpty() && fromLsn > header.dataStartLsn() && check.isHeader(fromLsn);
    return jump ? fromLsn : header.dataStartLsn();
  }

  private void deliver(long lsn, long nextLsn, long frame, int length) {
    if (lsn >= fromLsn) {
      consumer.accept(lsn, nextLsn, frame + FrameLayout.HEADER_BYTES, length);
      frames++;
      payloadBytes += length;
    }
  }

  static ReplayReport.Mark readMark(long frame) {
    long payload = frame + FrameLayout.HEADER_BYTES;
    return new ReplayReport.Mark(Mem.getLong(payload), Mem.getLong(payload + 8));
  }

  static SegmentLink readLink(long frame) {
    long payload = frame + FrameLayout.HEADER_BYTES;
    return new SegmentLink(
        Mem.getLong(payload), Mem.getLong(payload + 8), Mem.getLong(payload + 16));
  }

  private SegmentFile closed(SegmentFile segment, long lsn) {
    SegmentHeader.Closing closing = segment.header().closing();
    if (lsn > closing.endLsn() && lsn > Math.max(fromLsn, segment.header().dataStartLsn())) {
      throw new CorruptionException(
          place(segment, lsn)
              + ": frames go on past LSN "
              + closing.endLsn()
              + ", where an earlier recovery ended this segment");
    }
    chain.add(new Link(segment, closing.endLsn()));
    return follow(segment, closing.endLsn(), closing.next());
  }

  private SegmentFile follow(SegmentFile segment, long lsn, SegmentLink link) {
    SegmentFile next = catalog.find(link.sequence());
    if (next == null || !next.header().link().equals(link)) {
      throw new CorruptionException(
          place(segment, lsn)
              + ": the log goes on in segment "
              + link
              + ", found "
              + (next == null ? "no such segment" : next.header().link() + " in " + next.path()));
    }
    return next;
  }

  private void sealed(SegmentFile segment, long sealEndLsn) {
    requireNotDurable(
        segment, sealEndLsn, "a seal ends the log before this place", headerMark(segment));
    chain.add(new Link(segment, sealEndLsn));
    endLsn = sealEndLsn;
  }

  private long headerMark(SegmentFile segment) {
    long durable = knownDurableLsn;
    for (SegmentFile later : catalog.after(segment)) {
      durable = Math.max(durable, later.header().durableUpTo());
    }
    return durable;
  }

  private void end(
      SegmentFile segment, FrameCheck check, SegmentWindow window, long lsn, String fault) {
    long durable = Math.max(headerMark(segment), segment.header().closing().endLsn());
    requireNotDurable(segment, lsn, fault, durable);
    TailScan scan = new TailScan();
    scan.scan(segment, check, window, lsn + FrameLayout.ALIGNMENT);
    for (SegmentFile later : catalog.after(segment)) {
      try (SegmentWindow laterWindow = new SegmentWindow(files, later)) {
        FrameCheck laterCheck = new FrameCheck(later, laterWindow);
        scan.scan(later, laterCheck, laterWindow, later.header().dataStartLsn());
      }
    }
    requireNotDurable(segment, lsn, fault, scan.durableLsn());
    long offset = lsn - segment.header().baseLsn();
    cut = new ReplayReport.Cut(segment.path(), offset, lsn, fault, scan.frames());
    chain.add(new Link(segment, lsn));
    endLsn = lsn;
  }

  private static void requireNotDurable(
      SegmentFile segment, long lsn, String fault, long durableLsn) {
    if (lsn < durableLsn) {
      throw new CorruptionException(
          place(segment, lsn)
              + ": "
              + fault
              + "; the log was durable up to LSN "
              + durableLsn
              + ", so this is damage, not the end of the log: restore from a backup");
    }
  }

  private static String place(SegmentFile segment, long lsn) {
    return "log segment "
        + segment.path()
        + ", offset "
        + (lsn - segment.header().baseLsn())
        + " (LSN "
        + lsn
        + ")";
  }
}
