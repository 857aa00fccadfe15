package org.loam.lsm;

import java.util.Arrays;
import java.util.Collection;
import org.loam.common.mem.Epochs;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRecord;
import org.loam.lsm.version.DiskVersion;
import org.loam.scheduler.merge.KeyRange;

/**
 * All of a tree at one moment, newest first: the active memory component, the frozen ones, the disk
 * part. Immutable; the components themselves go on changing only as their own rules say.
 */
final class TreeVersion {
  /**
   * A memory component that takes no more writes and waits to be flushed.
   *
   * @param endLsn end of the log when it was frozen: everything in it is below
   * @param cause why it was frozen
   */
  record Frozen(MemoryComponent component, long endLsn, FlushCause cause) {}

  final MemoryComponent active;

  /** Newest first. */
  final Frozen[] frozen;

  final DiskVersion disk;

  /**
   * Read LSNs below it see an empty disk part: the tree was empty until it was loaded. -1 if it was
   * not loaded since it was opened.
   */
  private final long loadedLsn;

  private TreeVersion(MemoryComponent active, Frozen[] frozen, DiskVersion disk, long loadedLsn) {
    this.active = active;
    this.frozen = frozen;
    this.disk = disk;
    this.loadedLsn = loadedLsn;
  }

  /** A version with nothing frozen. */
  static TreeVersion of(MemoryComponent active, DiskVersion disk) {
    return new TreeVersion(active, new Frozen[0], disk, -1);
  }

  /** The disk part for readers with a read LSN. */
  DiskVersion diskAt(long readLsn) {
    return readLsn >= loadedLsn ? disk : DiskVersion.EMPTY;
  }

  /** Whether there is no entry at all, in memory or on disk. */
  boolean isEmpty() {
    return active.maxLsn() < 0 && frozen.length == 0 && disk.runCount() == 0;
  }

  /** This version with its active component frozen and a new one in front. */
  TreeVersion freeze(MemoryComponent next, long endLsn, FlushCause cause) {
    Frozen[] more = new Frozen[frozen.length + 1];
    more[0] = new Frozen(active, endLsn, cause);
    System.arraycopy(frozen, 0, more, 1, frozen.length);
    return new TreeVersion(next, more, disk, loadedLsn);
  }

  /** This version with an empty component in front in place of one that nothing was written to. */
  TreeVersion withActive(MemoryComponent next) {
    return new TreeVersion(next, frozen, disk, loadedLsn);
  }

  /** This version with its oldest frozen component replaced by tables on disk. */
  TreeVersion flushed(Frozen oldest, DiskVersion newDisk) {
    int last = frozen.length - 1;
    if (last < 0 || frozen[last].component() != oldest.component()) {
      throw new AssertionError("flushes of a tree must be installed in order");
    }
    return new TreeVersion(active, Arrays.copyOf(frozen, last), newDisk, loadedLsn);
  }

  /** This version with another disk part. */
  TreeVersion withDisk(DiskVersion newDisk) {
    return new TreeVersion(active, frozen, newDisk, loadedLsn);
  }

  /** This empty version with tables that show from an LSN on. */
  TreeVersion loaded(DiskVersion newDisk, long fromLsn) {
    if (!isEmpty()) {
      throw new AssertionError("a tree with entries was loaded");
    }
    return new TreeVersion(active, frozen, newDisk, fromLsn);
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
    long min = active.minLsn();
    for (Frozen one : frozen) {
      if (!without.contains(one.component())) {
        min = Math.min(min, one.component().minLsn());
      }
    }
    return min;
  }

  /** Whether no table has keys between those of a memory component. */
  boolean isLowest(MemoryComponent component, Epochs memoryEpochs) {
    int slot = memoryEpochs.enter();
    try {
      long first = component.firstRecord();
      if (first == 0) {
        return true;
      }
      byte[] min = MemoryRecord.copyKey(first);
      byte[] max = MemoryRecord.copyKey(component.lastRecord());
      return !disk.overlaps(new KeyRange(min, max));
    } finally {
      memoryEpochs.exit(slot);
    }
  }

  /** Memory of the active and the frozen components. */
  long memoryBytes() {
    return active.usedBytes() + frozenBytes();
  }

  /** Of that, what is neither superseded nor wasted. */
  long liveBytes() {
    long sum = active.liveBytes();
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
    long record = active.find(key, keyLength, Long.MAX_VALUE);
    for (int i = 0; record <= 0 && i < frozen.length; i++) {
      record = frozen[i].component().find(key, keyLength, Long.MAX_VALUE);
    }
    return record > 0 ? MemoryRecord.lsn(record) : -1;
  }
}
