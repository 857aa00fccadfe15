package org.loam.engine.scheme;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.lsm.EvenFlushes;
import org.loam.lsm.LsmTree;
import org.loam.lsm.RangeSizes;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling;

/**
 * How trees share the write memory: when an active component is full, into how many ranges of keys
 * a tree is divided, and what is frozen when memory is short or the log is too long. Decides under
 * the commit latch.
 */
public interface MemoryScheme {
  /** The writes in so old a part of the log go together when the log is too long. */
  int OLDEST_OF_LOG = 16;

  /** Above all LSNs, and with room for a band above it. */
  long END_OF_LSNS = Long.MAX_VALUE / 2;

  /** The write memory of now. Under the commit latch. */
  interface Memory {
    /** Bytes of write memory without those that are lent to it. */
    long ownBytes();

    /** Bytes that are not in use. */
    long freeBytes();

    /** All trees. */
    List<LsmTree> trees();

    /** Trees with the same one are flushed together by the host; of an engine without, the name. */
    String flushUnit(LsmTree tree);

    /** Keys and values that were written to a tree lately. */
    long recentBytes(LsmTree tree);

    /**
     * Memory of runs of a tree that was flushed for the sake of memory while the log grew by its
     * maximum.
     */
    long recentlyFlushedBytes(LsmTree tree);
  }

  /**
   * What is to be frozen.
   *
   * @param rule that chose it
   * @param components active components or runs of each tree; at least one of a tree that is here
   */
  record Victims(Rule rule, Map<LsmTree, Set<MemoryComponent>> components) {
    static Victims of(Rule rule, LsmTree tree, MemoryComponent active) {
      return new Victims(rule, Map.of(tree, Set.of(active)));
    }
  }

  /** Into how many ranges of keys a tree is divided when components of it are frozen. */
  RangeSizes sizes(long ownBytes);

  /**
   * A bound of what is flushed at once, beside that of all flushes and unless one component is
   * larger. May be asked any time.
   */
  default long flushBytes(long ownBytes) {
    return Long.MAX_VALUE;
  }

  /** What a tree that is written to alone has before it is flushed; sizes its levels. */
  long treeBytes(long ownBytes);

  /**
   * The part of write memory that is kept free for merges in memory: flushes begin so much earlier,
   * and writers do not take the last half of it.
   */
  default double keptFreeRatio() {
    return 0;
  }

  /**
   * How what stays in memory is merged there.
   *
   * @return null if nothing is merged in memory
   */
  default MemoryLeveling.@Nullable Merging merging(long ownBytes) {
    return null;
  }

  /** Whether what is full stays in memory, to be merged there; else it is flushed. */
  default boolean keeps(Memory memory, LsmTree tree) {
    return false;
  }

  /**
   * What a write has filled.
   *
   * @param active takes the writes of a range of the tree, and has just got some
   * @return null if nothing is to be frozen
   */
  @Nullable Victims full(Memory memory, LsmTree tree, MemoryComponent active);

  /**
   * Whether a write to a tree may take memory, if there is some. May be asked by any thread without
   * the latch, and may be wrong for a moment.
   */
  default boolean admits(LsmTree tree) {
    return true;
  }

  /**
   * Makes room for a batch that waits since one of its trees was not admitted.
   *
   * @return what is to be frozen for it
   */
  default Victims admit(Memory memory, Collection<LsmTree> trees) {
    return new Victims(Rule.ALL, Map.of());
  }

  /**
   * What to freeze when memory is short.
   *
   * @param bytes that are to be flushed
   * @return nothing only if nothing may be frozen
   */
  Victims forMemory(Memory memory, long bytes);

  /**
   * What to freeze when the log is too long: the component with the oldest write, and those whose
   * oldest write is little younger, unless they are frozen already.
   */
  default Victims forLog(Memory memory, long maxLogBytes) {
    return oldest(memory, maxLogBytes / OLDEST_OF_LOG);
  }

  /**
   * What to freeze before the log is too long, so that not all that is old leaves at once. Nothing
   * unless a scheme says otherwise.
   *
   * @param flushes which chooses, with its parameters
   */
  default Victims beforeLogIsLong(
      Memory memory, EvenFlushes flushes, long endLsn, long longBytes, long grownBytes) {
    return new Victims(Rule.OLDEST, Map.of());
  }

  /**
   * The active components with the oldest writes.
   *
   * @param bandBytes of the log in which a write is as old as the oldest one
   */
  static Victims oldest(Memory memory, long bandBytes) {
    long last = oldestLsn(memory) + bandBytes;
    Map<LsmTree, Set<MemoryComponent>> chosen = new LinkedHashMap<>();
    for (LsmTree tree : memory.trees()) {
      Set<MemoryComponent> actives = activesUpTo(tree, last);
      if (!actives.isEmpty()) {
        chosen.put(tree, actives);
      }
    }
    return new Victims(Rule.OLDEST, chosen);
  }

  /** The oldest write that is only in memory; the end of the log is above it. */
  static long oldestLsn(Memory memory) {
    long oldest = END_OF_LSNS;
    for (LsmTree tree : memory.trees()) {
      oldest = Math.min(oldest, tree.minUnflushedLsn(List.of()));
    }
    return oldest;
  }

  /** The active components of a tree that may be frozen and have a write up to an LSN. */
  static Set<MemoryComponent> activesUpTo(LsmTree tree, long lastLsn) {
    Set<MemoryComponent> actives = new HashSet<>();
    for (MemoryComponent active : tree.freezes().activesAlone()) {
      if (active.minLsn() <= lastLsn) {
        actives.add(active);
      }
    }
    return actives;
  }
}
