package org.loam.log.recover;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.log.format.BatchDecoder;
import org.loam.log.format.FrameLayout;
import org.loam.log.format.SegmentHeader;
import org.loam.log.recover.LogDump.Expected;
import org.loam.log.recover.LogDump.Frame;
import org.loam.log.recover.LogDump.Segment;

/** Makes a {@link LogDump}: replays the log, applies nothing, then walks each segment. One use. */
final class LogDumper {
  private final StorageFiles files;
  private final Path directory;
  private final Expected expected;
  private final long maxFrames;
  private final List<Segment> segments = new ArrayList<>();
  private final List<Frame> frames = new ArrayList<>();
  private final List<String> damage = new ArrayList<>();
  private final BatchDecoder decoder = new BatchDecoder();
  private long endLsn = -1;
  private String end = "what of it is needed cannot be told without a whole manifest";

  LogDumper(StorageFiles files, Path directory, Expected expected, long maxFrames) {
    this.files = files;
    this.directory = directory;
    this.expected = expected;
    this.maxFrames = maxFrames;
  }

  LogDump run() {
    SegmentCatalog catalog =
        SegmentCatalog.load(
            files,
            directory,
            expected.databaseId(),
            e -> damage.add(String.valueOf(e.getMessage())));
    boolean known = !expected.equals(Expected.NOTHING);
    Set<Long> live = known ? replay(catalog) : Set.of();
    for (SegmentFile file : catalog.bySequence()) {
      boolean isLive = live.contains(file.header().sequence());
      walk(file, isLive ? "live" : known ? "free" : "unknown");
    }
    return new LogDump(
        directory.toString(),
        expected.fromLsn(),
        endLsn,
        end,
        segments,
        catalog.unfinished().stream().map(LogDumper::name).toList(),
        frames,
        damage);
  }

  /** Finds the end of the log as a recovery would; the sequences of the segments on the way. */
  private Set<Long> replay(SegmentCatalog catalog) {
    LogReplay replay =
        new LogReplay(
            files,
            catalog,
            expected.fromLsn(),
            expected.durableLsn(),
            (lsn, to, payload, length) -> {});
    try {
      ReplayReport report = replay.run();
      endLsn = report.endLsn();
      ReplayReport.Cut cut = report.cut();
      end = cut == null ? "closed in order" : endOf(cut);
      report.damagedHeaders().forEach(p -> damage.add(p + ": one copy of its header is damaged"));
    } catch (CorruptionException | UnsupportedFormatException e) {
      damage.add(String.valueOf(e.getMessage()));
      end = "it cannot be told where it ends";
    }
    Set<Long> live = new HashSet<>();
    replay.chain().links().forEach(link -> live.add(link.file().header().sequence()));
    return live;
  }

  private static String endOf(ReplayReport.Cut cut) {
    String behind =
        cut.discardedFrames() == 0
            ? ""
            : "; " + cut.discardedFrames() + " frames behind it were never made durable";
    return "not closed: offset "
        + cut.offset()
        + " of "
        + name(cut.segment())
        + ": "
        + cut.reason()
        + behind;
  }

  private void walk(SegmentFile file, String use) {
    SegmentHeader header = file.header();
    long lsn = header.dataStartLsn();
    long count = 0;
    try (SegmentWindow window = new SegmentWindow(files, file)) {
      FrameCheck check = new FrameCheck(file, window);
      while (!isEnd(header, lsn)) {
        if (check.fault(lsn) == null) {
          count++;
          lsn = list(name(file.path()), header, window, lsn);
        } else if (lsn < expected.fromLsn() && check.isHeader(expected.fromLsn())) {
          // What lies between is not needed any more.
          lsn = expected.fromLsn();
        } else {
          break;
        }
      }
    } catch (UnsupportedFormatException e) {
      // The replay met it too, if it matters.
    }
    segments.add(
        new Segment(
            name(file.path()),
            use,
            header.sequence(),
            header.baseLsn(),
            lsn,
            header.segmentBytes(),
            count,
            header.isClosed() ? header.closing().endLsn() : null));
  }

  private static boolean isEnd(SegmentHeader header, long lsn) {
    return header.isClosed() && lsn >= header.closing().endLsn();
  }

  /** Lists a whole frame, if there is room; where the next one begins. */
  private long list(String segment, SegmentHeader header, SegmentWindow window, long lsn) {
    int length = FrameLayout.payloadLength(window.at(lsn, FrameLayout.HEADER_BYTES));
    long frame = window.at(lsn, (long) FrameLayout.HEADER_BYTES + length);
    if (frames.size() < maxFrames) {
      byte type = FrameLayout.type(frame);
      frames.add(
          new Frame(
              lsn,
              segment,
              lsn - header.baseLsn(),
              FrameLayout.typeName(type),
              length,
              FrameLayout.durableUpTo(frame),
              type == FrameLayout.BATCH ? operations(lsn, frame, length) : Map.of(),
              text(type, frame)));
    }
    return lsn + FrameLayout.frameBytes(length);
  }

  private Map<Integer, Long> operations(long lsn, long frame, int length) {
    Map<Integer, Long> counts = new TreeMap<>();
    try {
      decoder.reset(lsn, frame + FrameLayout.HEADER_BYTES, length);
      while (decoder.next()) {
        counts.merge(decoder.treeId(), 1L, Long::sum);
      }
    } catch (CorruptionException | UnsupportedFormatException e) {
      damage.add(String.valueOf(e.getMessage()));
    }
    return counts;
  }

  private static String text(byte type, long frame) {
    return switch (type) {
      case FrameLayout.MARK -> {
        ReplayReport.Mark mark = LogReplay.readMark(frame);
        yield "manifest " + mark.manifestNumber() + " forced up to byte " + mark.forcedBytes();
      }
      case FrameLayout.SEGMENT_END -> {
        var link = LogReplay.readLink(frame);
        yield "goes on at LSN " + link.baseLsn() + " in segment of sequence " + link.sequence();
      }
      default -> "";
    };
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }
}
