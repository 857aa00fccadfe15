package org.loam.log;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.log.format.SegmentHeader;
import org.loam.log.recover.LogChain;
import org.loam.log.recover.SegmentCatalog;
import org.loam.log.recover.SegmentFile;

/**
 * Turns a replayed log into a running one. In this order, so that a crash at any point leaves a log
 * that replays the same:
 *
 * <ol>
 *   <li>write and force again what was read and not known to be durable, header and frames: it may
 *       have been seen in the page cache only, and all that follows relies on it;
 *   <li>delete the files that nothing names and of which no segment can be made: on a full disk the
 *       next step needs their room. The start after a crash in between does not see the LSNs of
 *       these files and may give them again; only frames that are lost had them;
 *   <li>prepare a fresh segment above every LSN ever seen; nothing names it yet;
 *   <li>close the last segment replayed: its header now says where the log ended and where it goes
 *       on. From here on the end is settled, whatever bytes lie behind it.
 * </ol>
 */
final class LogStart {
  /**
   * Where the replay began and ended.
   *
   * @param fromLsn truncation LSN
   * @param endLsn exclusive end
   * @param floorLsn every LSN given from now on is above it
   */
  record Bounds(long fromLsn, long endLsn, long floorLsn) {}

  /**
   * What came out.
   *
   * @param parts of the running log
   * @param first segment for frames
   */
  record Begun(LogParts parts, LogSegment first) {}

  private final StorageEnv env;
  private final Path directory;
  private final LogConfig config;
  private final long identity;

  LogStart(StorageEnv env, Path directory, LogConfig config, long identity) {
    this.env = env;
    this.directory = directory;
    this.config = config;
    this.identity = identity;
  }

  Begun begin(SegmentCatalog catalog, LogChain replayed, Bounds bounds) {
    createDirectory();
    LogChain chain = withoutEmptyTail(replayed);
    LogFence fence = new LogFence();
    LogProgress progress = new LogProgress(bounds.endLsn());
    LiveSegments live = new LiveSegments(env, chain, bounds.fromLsn());
    SegmentFiles files = new SegmentFiles(env.files(), directory, identity, config, progress);
    LogSegment first = null;
    boolean begun = false;
    try {
      SegmentSlots slots = new SegmentSlots(env, config, live, fence, numbers(catalog, bounds));
      SegmentPreparer preparer = new SegmentPreparer(files, slots, fence);
      slots.adopt(leftovers(catalog, replayed), catalog.unfinished());
      settleTail(files, chain);
      forceReplayed(files, chain);
      preparer.deleteUnwanted();
      first = preparer.prepareOne();
      close(files, chain, first);
      slots.adopt(leftovers(replayed, chain), List.of());
      live.add(first);
      long startLsn = first.header().dataStartLsn();
      progress.ended(startLsn);
      progress.forced(startLsn);
      GroupCommit commit = new GroupCommit(env, live, slots, fence, progress);
      begun = true;
      return new Begun(new LogParts(config, live, slots, preparer, commit, fence, progress), first);
    } finally {
      if (!begun) {
        release(files, first);
      }
    }
  }

  private void createDirectory() {
    StorageFiles files = env.files();
    if (!files.exists(directory)) {
      files.createDirectories(directory);
    }
    // Also what exists: a process that died may have created, but not forced, it or the files in
    // it that are reused now.
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      files.forceDirectory(parent);
    }
    files.forceDirectory(directory);
  }

  private SegmentNumbers numbers(SegmentCatalog catalog, Bounds bounds) {
    int slot = 0;
    long sequence = 0;
    long limitLsn = Math.max(bounds.endLsn(), bounds.floorLsn());
    for (SegmentFile file : catalog.bySequence()) {
      SegmentHeader header = file.header();
      slot = Math.max(slot, header.slot() + 1);
      sequence = header.sequence();
      limitLsn = Math.max(limitLsn, header.limitLsn());
    }
    long segmentBytes = config.segmentBytes();
    long baseLsn = (limitLsn + segmentBytes - 1) / segmentBytes * segmentBytes + segmentBytes;
    long saltSeed = env.random().nextLong();
    return new SegmentNumbers(segmentBytes, saltSeed, slot, sequence + 1, baseLsn);
  }

  private static List<SegmentFile> leftovers(SegmentCatalog catalog, LogChain chain) {
    List<SegmentFile> used = files(chain);
    return catalog.bySequence().stream().filter(file -> !used.contains(file)).toList();
  }

  /** The segments that only the first chain has; nothing names them once the other is closed. */
  private static List<SegmentFile> leftovers(LogChain replayed, LogChain chain) {
    List<SegmentFile> used = files(chain);
    return files(replayed).stream().filter(file -> !used.contains(file)).toList();
  }

  private static List<SegmentFile> files(LogChain chain) {
    return chain.links().stream().map(LogChain.Link::file).toList();
  }

  /**
   * Leaves out a last segment without frames if an earlier recovery led there: that one's link is
   * replaced. So a process that crashes again and again at its start does not make the log grow;
   * and a closing whose force failed, which the page cache may show all the same, is written again.
   */
  private static LogChain withoutEmptyTail(LogChain chain) {
    int last = chain.links().size() - 1;
    boolean isEmpty =
        last > 0
            && chain.links().get(last).endLsn() == header(chain, last).dataStartLsn()
            && header(chain, last - 1).isClosed();
    return isEmpty ? new LogChain(chain.links().subList(0, last), chain.durableLsn()) : chain;
  }

  private static SegmentHeader header(LogChain chain, int index) {
    return chain.links().get(index).file().header();
  }

  /** No frame follows a header that is not durable, so only the last segment can have one. */
  private static void settleTail(SegmentFiles files, LogChain chain) {
    if (!chain.links().isEmpty()) {
      SegmentFile tail = tail(chain).file();
      if (tail.header().isClosed() || tail.copyDamaged()) {
        files.settleHeader(tail);
      }
    }
  }

  private static LogChain.Link tail(LogChain chain) {
    return chain.links().get(chain.links().size() - 1);
  }

  /** The frames of a closed segment were forced before it was closed. */
  private static void forceReplayed(SegmentFiles files, LogChain chain) {
    for (LogChain.Link link : chain.links()) {
      SegmentHeader header = link.file().header();
      if (!header.isClosed() && link.endLsn() > chain.durableLsn()) {
        long fromLsn = Math.max(chain.durableLsn(), header.dataStartLsn());
        files.rewrite(
            link.file().path(), fromLsn - header.baseLsn(), link.endLsn() - header.baseLsn());
      }
    }
  }

  private static void close(SegmentFiles files, LogChain chain, LogSegment first) {
    if (!chain.links().isEmpty()) {
      LogChain.Link tail = tail(chain);
      SegmentHeader header = tail.file().header();
      files.rewriteHeader(tail.file().path(), header.closed(tail.endLsn(), first.header().link()));
    }
  }

  private static void release(SegmentFiles files, @Nullable LogSegment first) {
    try {
      if (first != null) {
        first.release();
      }
    } finally {
      files.close();
    }
  }
}
