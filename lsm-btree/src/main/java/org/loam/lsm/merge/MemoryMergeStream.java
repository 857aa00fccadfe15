package org.loam.lsm.merge;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Mem;
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

  /**
   * The part of the upper run that a step merges, and the runs of the level below that it meets.
   *
   * @param upperBytes about the memory that the needed versions of the part take; 0 if it has none
   * @param lower the runs below, in the order of their keys
   * @param lowerBytes the memory of what is needed of them
   * @param end of the part; null for the end of the upper run
   */
  @SuppressWarnings("ArrayRecordComponent") // parts are not compared
  public record Part(
      long upperBytes, List<MemoryRun> lower, long lowerBytes, byte @Nullable [] end) {
    /** About the memory that a copy of both takes. */
    public long bytes() {
      return upperBytes + lowerBytes;
    }
  }

  /**
   * The first part of a run whose copy, with the runs below, takes about so much memory. It ends at
   * a key that no run below has, so that it is larger if one of them overlaps more of the run.
   * Inside a memory epoch.
   *
   * @param lower the runs below that a part up to an end overlaps
   * @param end the part does not go beyond it; null for the end of the run
   */
  public static Part firstPart(
      MemoryRun upper,
      List<MemoryRun> lower,
      byte @Nullable [] end,
      long bytes,
      VersionRetention retention) {
    long upperBytes = 0;
    int below = 0;
    LastKey lastKey = new LastKey();
    try (VersionWalk walk = new VersionWalk(List.of(upper), end, retention)) {
      while (walk.next()) {
        if (lastKey.update(walk)) {
          while (below < lower.size() && isBelow(lower.get(below), walk)) {
            below++;
          }
          boolean isCut = below == lower.size() || isAbove(lower.get(below), walk);
          List<MemoryRun> met = lower.subList(0, below);
          if (isCut && upperBytes > 0 && upperBytes + liveBytes(met) >= bytes) {
            return new Part(upperBytes, List.copyOf(met), liveBytes(met), keyOf(walk));
          }
        }
        upperBytes += ENTRY_OVERHEAD_BYTES + walk.keyLength() + walk.valueLength();
      }
    }
    return new Part(upperBytes, lower, liveBytes(lower), end);
  }

  private static boolean isBelow(MemoryRun run, VersionWalk walk) {
    byte[] end = run.keys().end();
    return end != null && compare(end, walk) <= 0;
  }

  private static boolean isAbove(MemoryRun run, VersionWalk walk) {
    byte[] low = run.keys().low();
    return low != null && compare(low, walk) > 0;
  }

  private static int compare(byte[] key, VersionWalk walk) {
    return Mem.compare(key, 0, key.length, walk.keyAddress(), walk.keyLength());
  }

  private static byte[] keyOf(VersionWalk walk) {
    byte[] key = new byte[walk.keyLength()];
    Mem.copyOut(walk.keyAddress(), key, 0, key.length);
    return key;
  }

  private static long liveBytes(List<MemoryRun> runs) {
    long bytes = 0;
    for (MemoryRun run : runs) {
      bytes += run.component().liveBytes();
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
