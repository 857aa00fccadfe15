package org.loam.lsm;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.MemoryRanges.Frozen;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling;
import org.loam.lsm.memory.MemoryRun;

/**
 * The freezes of a tree: they decide which of its memory components take writes, which stay in
 * memory as runs, and which wait to be flushed; {@link Flushes} takes those. All of it is called
 * under the commit latch.
 */
public final class Freezes {
  private final TreeState tree;

  /** Guarded by the commit latch. */
  private long partlyFlushedBytes;

  /** From where on runs are frozen for the sake of memory. Guarded by the commit latch. */
  private byte @Nullable [] nextFlushKey;

  Freezes(TreeState tree) {
    this.tree = tree;
  }

  /**
   * Some of the tree is to be frozen, since memory or the log is full: its levels follow the part
   * of write memory that it has at such times (MemoryWalls §4.1.3).
   *
   * @param fillableBytes what a tree fills before it is flushed if it is the only one that is
   *     written
   */
  public void noteMemory(long fillableBytes) {
    tree.memoryShare().add((double) tree.version().memoryBytes() / fillableBytes);
  }

  /** The active components of those ranges of keys in which nothing is frozen. */
  public List<MemoryComponent> activesAlone() {
    return tree.version().memory.activesAlone();
  }

  /**
   * The runs in the order in which they are to be flushed when memory is short: those of the last
   * level round robin, from that on which was flushed last.
   */
  public List<MemoryRun> flushOrder() {
    return MemoryLeveling.flushOrder(tree.version().levels.shape(), nextFlushKey);
  }

  /**
   * A run and all older ones that overlap it, newest first: they are frozen together. Nothing if a
   * merge in memory has replaced it.
   */
  public List<MemoryRun> withOlder(MemoryRun run) {
    return MemoryLeveling.withOlder(tree.version().levels.shape(), List.of(run));
  }

  /** Memory of runs that were frozen for the sake of memory, while others stayed. */
  public long partlyFlushedBytes() {
    return partlyFlushedBytes;
  }

  /**
   * Freezes all active components, so that they can be flushed. Memory of records that were
   * prepared in them and not inserted goes with them, flush or not.
   *
   * @param sizes how ranges of keys are divided and joined on this occasion
   * @param endLsn end of the log now
   * @return false if nothing was written to them
   */
  public boolean freeze(RangeSizes sizes, long endLsn, FlushCause cause) {
    TreeVersion now = tree.version();
    List<MemoryComponent> actives = now.memory.actives();
    boolean isUnused =
        now.levels.isEmpty()
            && actives.stream().allMatch(a -> a.maxLsn() < 0 && a.usedBytes() == 0);
    boolean isJoined = actives.size() <= sizes.most();
    return !(isUnused && isJoined) && !freeze(Set.copyOf(actives), sizes, endLsn, cause).isEmpty();
  }

  /**
   * What was frozen of a tree: an active component or a run, as it was then.
   *
   * @param number of it, from 1 on: the active components in the order of keys, and after them the
   *     runs, newest first
   * @param count of all these in the tree
   * @param minLsn its oldest write
   */
  public record FrozenPart(
      int number, int count, long usedBytes, long supersededBytes, long minLsn) {}

  /**
   * Like {@link #freeze(RangeSizes, long, FlushCause)}, of some of the active components, or of
   * runs, with all older ones that overlap them.
   *
   * @param chosen those that a merge in memory has replaced stay
   * @return what is frozen now
   */
  public List<FrozenPart> freeze(
      Set<MemoryComponent> chosen, RangeSizes sizes, long endLsn, FlushCause cause) {
    List<MemoryRun> order = flushOrder();
    Changed changed =
        change(
            before -> {
              if (!before.levels.isEmpty()) {
                return withRunsFrozen(before, chosen, endLsn, cause);
              }
              MemoryRanges.Occasion occasion = before.occasion(endLsn, cause);
              return before.frozen(
                  before.memory.freeze(chosen, sizes, tree::newComponent, occasion));
            });
    List<Frozen> frozen = changed.frozen();
    if (cause != FlushCause.LOG && !changed.after().levels.isEmpty()) {
      partlyFlushedBytes += frozen.stream().mapToLong(Frozen::usedBytes).sum();
      order.stream()
          .filter(run -> chosen.contains(run.component()))
          .forEach(run -> nextFlushKey = run.keys().end());
    }
    return changed.parts();
  }

  /** Freezes runs; with the active component, which is newer than they are, all of them. */
  private TreeVersion withRunsFrozen(
      TreeVersion before, Set<MemoryComponent> chosen, long endLsn, FlushCause cause) {
    MemoryComponent active = before.memory.range(0).active();
    MemoryLevels levels = before.levels;
    if (!chosen.contains(active)) {
      List<MemoryRun> runs =
          levels.all().stream().filter(run -> chosen.contains(run.component())).toList();
      List<MemoryRun> leaving = MemoryLeveling.withOlder(levels.shape(), runs);
      return leaving.isEmpty() ? before : before.leaving(leaving, endLsn, cause);
    }
    TreeVersion settled =
        active.maxLsn() < 0
            ? before.withActive(tree.newComponent())
            : before.settled(runOf(active), tree.newComponent());
    return settled.leaving(settled.levels.all(), endLsn, cause);
  }

  private MemoryRun runOf(MemoryComponent component) {
    return MemoryRun.of(component, tree.services().memoryEpochs());
  }

  /**
   * Lets the active component be followed by an empty one and stay in memory, to be merged there.
   *
   * @return false if nothing was written to it, or if the tree has several ranges of keys: all of
   *     it must be frozen once to have one range
   */
  public boolean settle() {
    Changed changed =
        change(
            before -> {
              MemoryComponent active = before.memory.range(0).active();
              boolean isKept = before.memory.count() == 1 && active.maxLsn() >= 0;
              return isKept ? before.settled(runOf(active), tree.newComponent()) : before;
            });
    return changed.after() != changed.before();
  }

  /** Changes which components take writes and which are frozen. */
  private Changed change(UnaryOperator<TreeVersion> change) {
    TreeVersion before;
    TreeVersion after;
    List<FrozenPart> parts;
    List<MemoryComponent> leaving;
    int slot = tree.services().memoryEpochs().enter();
    try {
      do {
        // A drop takes the version without the latch, and retires what it takes: so this must
        // decide by the version that it replaces. A merge in memory takes no latch either.
        before = tree.version();
        after = change.apply(before);
        // Before a flush can take it and give its memory back.
        parts = parts(before, frozen(before, after));
        // No later: nothing may fail between the new version and what it freezes, or a writer
        // would still write to what is flushed.
        leaving = new ArrayList<>(before.memory.actives());
        leaving.removeAll(Set.copyOf(after.memory.actives()));
      } while (!tree.replaceVersion(before, after));
    } finally {
      tree.services().memoryEpochs().exit(slot);
    }
    // By index: an iterator, or the first use of a method reference, needs heap.
    for (int i = 0; i < leaving.size(); i++) {
      leaving.get(i).freeze();
    }
    for (MemoryComponent active : leaving) {
      if (active.maxLsn() < 0) {
        tree.services().memory().retire(active);
      }
    }
    return new Changed(before, after, parts);
  }

  /** What is frozen now and was not before. */
  private static List<Frozen> frozen(TreeVersion before, TreeVersion after) {
    return List.of(after.frozen).subList(0, after.frozen.length - before.frozen.length);
  }

  private static List<FrozenPart> parts(TreeVersion before, List<Frozen> frozen) {
    Set<MemoryComponent> leaving =
        frozen.stream().flatMap(Frozen::components).collect(Collectors.toSet());
    List<MemoryComponent> all = before.parts();
    List<FrozenPart> parts = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      MemoryComponent one = all.get(i);
      if (leaving.contains(one)) {
        parts.add(
            new FrozenPart(
                i + 1, all.size(), one.usedBytes(), one.supersededBytes(), one.minLsn()));
      }
    }
    return parts;
  }

  /** A version, that which took its place, and what was frozen by it. */
  private record Changed(TreeVersion before, TreeVersion after, List<FrozenPart> parts) {
    List<Frozen> frozen() {
      return Freezes.frozen(before, after);
    }
  }
}
