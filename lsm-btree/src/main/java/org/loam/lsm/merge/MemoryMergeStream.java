package org.loam.lsm.merge;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.memory.VersionRetention;
import org.loam.lsm.memory.VersionWalk;
import org.loam.lsm.read.Entry;
import org.loam.lsm.read.MergingCursor;

/**
 * What remains of runs that are merged in memory: of each key the newest version, anti-matter as
 * well, and those that are still needed. Inside a memory epoch; one thread at a time.
 */
public final class MemoryMergeStream implements AutoCloseable {
  /** Of an entry in memory, beside key and value: its header, and its part of a full node. */
  private static final int ENTRY_OVERHEAD_BYTES = 40;

  private final MergeStream<VersionWalk> entries;

  private MemoryMergeStream(VersionWalk[] newestFirst, VersionRetention retention) {
    this.entries =
        new MergeStream<>(new MergingCursor<>(newestFirst, true), retention, true, false);
  }

  /**
   * A stream before its first entry.
   *
   * @param upper the newer run, of which the part before an end is merged
   * @param lower the older ones, in the order of their keys
   * @param end null for all of the upper run
   */
  public MemoryMergeStream(
      MemoryRun upper, List<MemoryRun> lower, byte @Nullable [] end, VersionRetention retention) {
    this(
        new VersionWalk[] {
          new VersionWalk(List.of(upper), end, retention), new VersionWalk(lower, null, retention)
        },
        retention);
  }

  /** A stream over runs that may have any keys in common, before its first entry. */
  public static MemoryMergeStream of(List<MemoryRun> newestFirst, VersionRetention retention) {
    return new MemoryMergeStream(
        newestFirst.stream()
            .map(run -> new VersionWalk(List.of(run), null, retention))
            .toArray(VersionWalk[]::new),
        retention);
  }

  /** About the memory that the needed versions of a part of a run take; 0 if it has none. */
  public static long bytes(MemoryRun run, byte @Nullable [] end, VersionRetention retention) {
    long bytes = 0;
    try (VersionWalk walk = new VersionWalk(List.of(run), end, retention)) {
      while (walk.next()) {
        bytes += ENTRY_OVERHEAD_BYTES + walk.keyLength() + walk.valueLength();
      }
    }
    return bytes;
  }

  /** Moves on; false past the end. */
  public boolean next() {
    EntryStream.Next found = entries.next();
    while (found == EntryStream.Next.NOTHING_YET) {
      found = entries.next();
    }
    return found == EntryStream.Next.ENTRY;
  }

  /** The entry. */
  public Entry entry() {
    return entries.entry();
  }

  /** Whether its key is not that of the entry before. */
  public boolean isNewKey() {
    return entries.isNewKey();
  }

  @Override
  public void close() {
    entries.close();
  }
}
