package org.loam.lsm;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Epochs;
import org.loam.lsm.MemoryRanges.Frozen;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling;
import org.loam.lsm.memory.MemoryRecord;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.version.DiskVersion;
import org.loam.scheduler.merge.KeyRange;

/**
 * All of a tree at one moment, newest first: the active memory components, the runs that stay in
 * memory, what is frozen, the disk part. Immutable; the components themselves go on changing only
 * as their own rules say.
 */
final class TreeVersion {
  final MemoryRanges memory;

  /** Runs that stay in memory; none unless there is one range. */
  final MemoryLevels levels;

  /** That of all ranges, newest first. */
  final Frozen[] frozen;

  /** All that is in memory, newest first, for scans. */
  final List<MemoryChain> chains;

  final DiskVersion disk;

  /**
   * Read LSNs below it see an empty disk part: the tree was empty until it was loaded. -1 if it was
   * not loaded since it was opened.
   */
  private final long loadedLsn;

  private TreeVersion(
      MemoryRanges memory, MemoryLevels levels, Frozen[] frozen, DiskVersion disk, long loadedLsn) {
    this.memory = memory;
    this.levels = levels;
    this.frozen = frozen;
    this.disk = disk;
    this.loadedLsn = loadedLsn;
    this.chains =
        MemoryChain.of(
            Stream.of(
                    memory.runs().stream(),
                    levels.all().stream(),
                    Arrays.stream(frozen).flatMap(one -> one.runs().stream()))
                .flatMap(runs -> runs)
                .toList());
  }

  /** A version with nothing frozen. */
  static TreeVersion of(MemoryComponent active, DiskVersion disk) {
    return new TreeVersion(MemoryRanges.of(active), MemoryLevels.NONE, new Frozen[0], disk, -1);
  }

  /** The disk part for readers with a read LSN. */
  DiskVersion diskAt(long readLsn) {
    return readLsn >= loadedLsn ? disk : DiskVersion.EMPTY;
  }

  /** Whether there is no entry at all, in memory or on disk. */
  boolean isEmpty() {
    return memory.actives().stream().allMatch(active -> active.maxLsn() < 0)
        && levels.isEmpty()
        && frozen.length == 0
        && disk.runCount() == 0;
  }

  /** When something is frozen next. */
  MemoryRanges.Occasion occasion(long endLsn, FlushCause cause) {
    return new MemoryRanges.Occasion(
        frozen.length == 0 ? 0 : frozen[0].moment() + 1, endLsn, cause);
  }

  /** This version with active components frozen. */
  TreeVersion frozen(MemoryRanges.Freeze freeze) {
    return new TreeVersion(freeze.ranges(), levels, withFrozen(freeze.frozen()), disk, loadedLsn);
  }

  private Frozen[] withFrozen(List<Frozen> newer) {
    return Stream.concat(newer.stream(), Arrays.stream(frozen)).toArray(Frozen[]::new);
  }

  /** This version of one range with another active component. */
  TreeVersion withActive(MemoryComponent next) {
    return new TreeVersion(memory.withActive(next), levels, frozen, disk, loadedLsn);
  }

  /** This version of one range with its active component among the runs that stay in memory. */
  TreeVersion settled(MemoryRun active, MemoryComponent next) {
    return new TreeVersion(memory.withActive(next), levels.with(active), frozen, disk, loadedLsn);
  }

  /**
   * This version with runs frozen.
   *
   * @param leaving with all older ones that overlap them, newest first
   */
  TreeVersion leaving(List<MemoryRun> leaving, long endLsn, FlushCause cause) {
    MemoryRanges.Occasion occasion = occasion(endLsn, cause);
    List<Frozen> more = MemoryLeveling.groups(leaving).stream().map(occasion::freeze).toList();
    return new TreeVersion(
        memory.withFrozen(more), levels.without(leaving), withFrozen(more), disk, loadedLsn);
  }

  /** This version with its runs in other levels. */
  TreeVersion withLevels(MemoryLevels merged) {
    return new TreeVersion(memory, merged, frozen, disk, loadedLsn);
  }

  /**
   * The oldest of what is frozen that nothing older has a key in common with, in the order of keys.
   * None has a key in common with another.
   *
   * @param flushing those that are on their way already, and do not count
   */
  List<Frozen> oldest(Set<Frozen> flushing) {
    List<Frozen> lowest =
        Arrays.stream(frozen).filter(one -> !flushing.contains(one) && isLowest(one)).toList();
    long moment = lowest.stream().mapToLong(Frozen::moment).min().orElse(0);
    return lowest.stream().filter(one -> one.moment() == moment).sorted(Frozen.BY_KEY).toList();
  }

  /** Whether no older frozen component has a key in common with one. */
  private boolean isLowest(Frozen one) {
    return Arrays.stream(frozen)
        .noneMatch(other -> other.moment() < one.moment() && other.overlaps(one));
  }

  /** This version with some of its oldest frozen components replaced by tables on disk. */
  TreeVersion flushed(List<Frozen> oldest, DiskVersion newDisk) {
    Set<Frozen> gone = Set.copyOf(oldest);
    Frozen[] rest = Arrays.stream(frozen).filter(one -> !gone.contains(one)).toArray(Frozen[]::new);
    if (rest.length + gone.size() != frozen.length || !gone.stream().allMatch(this::isLowest)) {
      throw new AssertionError("flushes of a tree must be installed in order");
    }
    return new TreeVersion(memory.without(gone), levels, rest, newDisk, loadedLsn);
  }

  /** This version with another disk part. */
  TreeVersion withDisk(DiskVersion newDisk) {
    return new TreeVersion(memory, levels, frozen, newDisk, loadedLsn);
  }

  /** This empty version with tables that show from an LSN on. */
  TreeVersion loaded(DiskVersion newDisk, long fromLsn) {
    if (!isEmpty()) {
      throw new AssertionError("a tree with entries was loaded");
    }
    return new TreeVersion(memory, levels, frozen, newDisk, fromLsn);
  }

  // ---- What is in memory.

  /** The active components, and after them the runs that stay in memory, newest first. */
  List<MemoryComponent> parts() {
    return Stream.concat(memory.actives().stream(), levels.all().stream().map(MemoryRun::component))
        .toList();
  }

  /** Whether a frozen component holds writes below an LSN. */
  boolean hasFrozenBelow(long endLsn) {
    for (Frozen one : frozen) {
      if (one.minLsn() < endLsn) {
        return true;
      }
    }
    return false;
  }

  /**
   * The smallest LSN that is in memory only, {@code Long.MAX_VALUE} if all is on disk.
   *
   * @param without components that do not count
   */
  long minUnflushedLsn(Collection<MemoryComponent> without) {
    long min = Long.MAX_VALUE;
    for (MemoryComponent active : memory.actives()) {
      min = Math.min(min, active.minLsn());
    }
    for (MemoryRun run : levels.all()) {
      min = Math.min(min, run.minLsn());
    }
    for (Frozen one : frozen) {
      for (MemoryRun run : one.runs()) {
        if (!without.contains(run.component())) {
          min = Math.min(min, run.minLsn());
        }
      }
    }
    return min;
  }

  /** Whether no table has keys between those of a memory component, of some of them. */
  boolean areLowest(List<Frozen> components, Epochs memoryEpochs) {
    return components.stream()
        .flatMap(Frozen::components)
        .allMatch(component -> isLowest(component, memoryEpochs));
  }

  private boolean isLowest(MemoryComponent component, Epochs memoryEpochs) {
    KeyRange keys = MemoryRun.keysOf(component, memoryEpochs);
    return keys == null || !disk.overlaps(keys);
  }

  /** The keys of what is frozen; null if it has none. */
  static @Nullable KeyRange keysOf(List<Frozen> components, Epochs memoryEpochs) {
    return components.stream()
        .flatMap(Frozen::components)
        .map(component -> MemoryRun.keysOf(component, memoryEpochs))
        .filter(Objects::nonNull)
        .reduce(KeyRange::hull)
        .orElse(null);
  }

  /** All memory of the tree. */
  long memoryBytes() {
    return stayingBytes() + frozenBytes();
  }

  /** Memory that is not on its way out. */
  long stayingBytes() {
    return memory.activeBytes() + levels.bytes();
  }

  /** A count of all that is in memory together. */
  long sum(ToLongFunction<MemoryComponent> count) {
    return chains.stream().mapToLong(chain -> chain.sum(count)).sum();
  }

  /** Memory of the frozen components. */
  long frozenBytes() {
    long sum = 0;
    for (Frozen one : frozen) {
      sum += one.usedBytes();
    }
    return sum;
  }

  /** LSN of the newest version of a key, published or not; -1 if there is none. */
  long newestLsn(long key, int keyLength) {
    long record = find(key, keyLength, Long.MAX_VALUE);
    return record > 0 ? MemoryRecord.lsn(record) : -1;
  }

  /** What {@link MemoryComponent#find} finds in all that is in memory. Inside a memory epoch. */
  long find(long key, int keyLength, long readLsn) {
    MemoryRanges.Range range = memory.of(key, keyLength);
    long found = range.active().find(key, keyLength, readLsn);
    if (!levels.isEmpty()) {
      found = levels.find(found, key, keyLength, readLsn);
    }
    List<Frozen> all = range.frozen();
    for (int i = 0; found <= 0 && i < all.size(); i++) {
      List<MemoryRun> runs = all.get(i).runs();
      for (int j = 0; found <= 0 && j < runs.size(); j++) {
        if (found == MemoryComponent.DROPPED) {
          return found;
        }
        found = runs.get(j).find(key, keyLength, readLsn);
      }
    }
    return found;
  }
}
