package org.loam.lsm;

import java.util.Arrays;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.version.DiskVersion;

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

  TreeVersion(MemoryComponent active, Frozen[] frozen, DiskVersion disk) {
    this.active = active;
    this.frozen = frozen;
    this.disk = disk;
  }

  /** This version with its active component frozen and a new one in front. */
  TreeVersion freeze(MemoryComponent next, long endLsn, FlushCause cause) {
    Frozen[] more = new Frozen[frozen.length + 1];
    more[0] = new Frozen(active, endLsn, cause);
    System.arraycopy(frozen, 0, more, 1, frozen.length);
    return new TreeVersion(next, more, disk);
  }

  /** This version with an empty component in front in place of one that nothing was written to. */
  TreeVersion withActive(MemoryComponent next) {
    return new TreeVersion(next, frozen, disk);
  }

  /** This version with its oldest frozen component replaced by tables on disk. */
  TreeVersion flushed(Frozen oldest, DiskVersion newDisk) {
    int last = frozen.length - 1;
    if (last < 0 || frozen[last].component() != oldest.component()) {
      throw new AssertionError("flushes of a tree must be installed in order");
    }
    return new TreeVersion(active, Arrays.copyOf(frozen, last), newDisk);
  }

  /** This version with another disk part. */
  TreeVersion withDisk(DiskVersion newDisk) {
    return new TreeVersion(active, frozen, newDisk);
  }
}
