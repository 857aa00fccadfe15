package org.loam.lsm;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Epochs;
import org.loam.lsm.MemoryRanges.Frozen;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRecord;
import org.loam.lsm.version.DiskVersion;
import org.loam.scheduler.merge.KeyRange;

/**
 * All of a tree at one moment, newest first: the active memory components, the frozen ones, the
 * disk part. Immutable; the components themselves go on changing only as their own rules say.
 */
final class TreeVersion {
  final MemoryRanges memory;

  /** Those of all ranges, newest first. */
  final Frozen[] frozen;

  final DiskVersion disk;

  /**
   * Read LSNs below it see an empty disk part: the tree was empty until it was loaded. -1 if it was
   * not loaded since it was opened.
   */
  private final long loadedLsn;

  private TreeVersion(MemoryRanges memory, Frozen[] frozen, DiskVersion disk, long loadedLsn) {
    this.memory = memory;
    this.frozen = frozen;
    this.disk = disk;
    this.loadedLsn = loadedLsn;
  }

  /** A version with nothing frozen. */
  static TreeVersion of(MemoryComponent active, DiskVersion disk) {
    return new TreeVersion(MemoryRanges.of(active), new Frozen[0], disk, -1);
  }

  /** The disk part for readers with a read LSN. */
  DiskVersion diskAt(long readLsn) {
    return readLsn >= loadedLsn ? disk : DiskVersion.EMPTY;
  }

  /** Whether there is no entry at all, in memory or on disk. */
  boolean isEmpty() {
    return memory.actives().stream().allMatch(active -> active.maxLsn() < 0)
        && frozen.length == 0
        && disk.runCount() == 0;
  }

  /** This version with active components frozen. */
  TreeVersion frozen(MemoryRanges.Freeze freeze) {
    Frozen[] more =
        Stream.concat(freeze.frozen().stream(), Arrays.stream(frozen))
            .sorted(Comparator.comparingLong(Frozen::endLsn).reversed())
            .toArray(Frozen[]::new);
    return new TreeVersion(freeze.ranges(), more, disk, loadedLsn);
  }

  /**
   * The oldest of the frozen components that no older one has a key in common with, in the order of
   * their keys. They have no key in common either.
   *
   * @param flushing those that are on their way already, and do not count
   */
  List<Frozen> oldest(Set<Frozen> flushing) {
    List<Frozen> lowest =
        Arrays.stream(frozen).filter(one -> !flushing.contains(one) && isLowest(one)).toList();
    long endLsn = lowest.stream().mapToLong(Frozen::endLsn).min().orElse(0);
    return lowest.stream().filter(one -> one.endLsn() == endLsn).sorted(Frozen.BY_KEY).toList();
  }

  /** Whether no older frozen component has a key in common with one. */
  private boolean isLowest(Frozen one) {
    return Arrays.stream(frozen)
        .noneMatch(other -> other.endLsn() < one.endLsn() && other.overlaps(one));
  }

  /** This version with some of its oldest frozen components replaced by tables on disk. */
  TreeVersion flushed(List<Frozen> oldest, DiskVersion newDisk) {
    Set<Frozen> gone = Set.copyOf(oldest);
    Frozen[] rest = Arrays.stream(frozen).filter(one -> !gone.contains(one)).toArray(Frozen[]::new);
    if (rest.length + gone.size() != frozen.length || !gone.stream().allMatch(this::isLowest)) {
      throw new AssertionError("flushes of a tree must be installed in order");
    }
    return new TreeVersion(memory.without(gone), rest, newDisk, loadedLsn);
  }

  /** This version with another disk part. */
  TreeVersion withDisk(DiskVersion newDisk) {
    return new TreeVersion(memory, frozen, newDisk, loadedLsn);
  }

  /** This empty version with tables that show from an LSN on. */
  TreeVersion loaded(DiskVersion newDisk, long fromLsn) {
    if (!isEmpty()) {
      throw new AssertionError("a tree with entries was loaded");
    }
    return new TreeVersion(memory, frozen, newDisk, fromLsn);
  }

  // ---- What is in memory.

  /** Whether a frozen component holds writes below an LSN. */
  boolean hasFrozenBelow(long endLsn) {
    for (Frozen one : frozen) {
      if (one.component().minLsn() < endLsn) {
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
    for (Frozen one : frozen) {
      if (!without.contains(one.component())) {
        min = Math.min(min, one.component().minLsn());
      }
    }
    return min;
  }

  /** Whether no table has keys between those of a memory component, of some of them. */
  boolean areLowest(List<Frozen> components, Epochs memoryEpochs) {
    return components.stream().allMatch(one -> isLowest(one.component(), memoryEpochs));
  }

  private boolean isLowest(MemoryComponent component, Epochs memoryEpochs) {
    KeyRange keys = keysOf(component, memoryEpochs);
    return keys == null || !disk.overlaps(keys);
  }

  /** The keys of frozen components, which are in the order of keys; null if they have none. */
  static @Nullable KeyRange keysOf(List<Frozen> components, Epochs memoryEpochs) {
    byte[] min = null;
    byte[] max = null;
    for (Frozen one : components) {
      KeyRange keys = keysOf(one.component(), memoryEpochs);
      if (keys != null) {
        min = min == null ? keys.min() : min;
        max = keys.max();
      }
    }
    return min == null || max == null ? null : new KeyRange(min, max);
  }

  private static @Nullable KeyRange keysOf(MemoryComponent component, Epochs memoryEpochs) {
    int slot = memoryEpochs.enter();
    try {
      long first = component.firstRecord();
      return first == 0
          ? null
          : new KeyRange(MemoryRecord.copyKey(first), MemoryRecord.copyKey(component.lastRecord()));
    } finally {
      memoryEpochs.exit(slot);
    }
  }

  /** Memory of the active and the frozen components. */
  long memoryBytes() {
    return memory.activeBytes() + frozenBytes();
  }

  /** Of that, what is neither superseded nor wasted. */
  long liveBytes() {
    long sum = 0;
    for (MemoryComponent active : memory.actives()) {
      sum += active.liveBytes();
    }
    for (Frozen one : frozen) {
      sum += one.component().liveBytes();
    }
    return sum;
  }

  /** Memory of the frozen components. */
  long frozenBytes() {
    long sum = 0;
    for (Frozen one : frozen) {
      sum += one.component().usedBytes();
    }
    return sum;
  }

  /** LSN of the newest version of a key, published or not; -1 if there is none. */
  long newestLsn(long key, int keyLength) {
    MemoryRanges.Range range = memory.of(key, keyLength);
    long record = range.active().find(key, keyLength, Long.MAX_VALUE);
    for (Frozen one : range.frozen()) {
      if (record > 0) {
        break;
      }
      record = one.component().find(key, keyLength, Long.MAX_VALUE);
    }
    return record > 0 ? MemoryRecord.lsn(record) : -1;
  }
}
