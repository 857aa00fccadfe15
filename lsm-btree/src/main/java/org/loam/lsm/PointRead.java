package org.loam.lsm;

import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.codec.Hash64;
import org.loam.common.key.EntryKind;
import org.loam.common.key.Heads;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.Mem;
import org.loam.lsm.disk.Lookup;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryRecord;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.LiveTable;

/**
 * Finds one key: memory first, then the runs on disk from the newest on, until the first base
 * record or anti-matter. Reused; one thread at a time. From a {@link #find} that returned true to
 * {@link #release} it keeps the value where it is.
 */
public final class PointRead {
  private static final int NONE = -1;

  private final Lookup lookup;
  private @Nullable TreeServices services;
  private int memorySlot = NONE;
  private int fileSlot = NONE;
  private long record;
  private boolean inMemory;
  private boolean onDisk;

  /**
   * @param pageBytes page size of the database
   */
  public PointRead(int pageBytes) {
    this.lookup = new Lookup(pageBytes);
  }

  /**
   * As the read LSN of {@link #find}: the newest version that is published now. No reader has it: a
   * snapshot below an empty log of a host has -1.
   */
  public static final long LATEST_PUBLISHED = Long.MIN_VALUE;

  /**
   * Looks for the newest version at or below a read LSN.
   *
   * @param readLsn a registered one, {@link #LATEST_PUBLISHED}, or {@code Long.MAX_VALUE} for the
   *     newest version whether published or not
   * @param intent what the read is for. If it keeps what it reads, pages stay in the cache, and so
   *     does the page to which a flush later writes an entry that is in write memory now
   * @return whether the key has a value; if so, {@link #release} must follow
   */
  public boolean find(LsmTree tree, long key, int keyLength, long readLsn, ReadIntent intent) {
    TreeServices shared = tree.services();
    services = shared;
    Epochs memory = shared.memoryEpochs();
    while (true) {
      memorySlot = memory.enter();
      // The version first: its components on disk hold nothing above a read LSN taken later.
      TreeVersion version = tree.version();
      boolean latest = readLsn == LATEST_PUBLISHED;
      long lsn = latest ? shared.reads().currentReadLsn() : readLsn;
      long found = findInMemory(version, key, keyLength, lsn);
      if (found == MemoryComponent.DROPPED) {
        leaveMemory(memory);
        if (!latest) {
          throw new AssertionError("a version that read LSN " + lsn + " needs was dropped");
        }
        continue;
      }
      inMemory = found != MemoryComponent.ABSENT;
      if (inMemory) {
        if (intent.keeps()) {
          MemoryRecord.markWarm(found);
        }
        record = found;
        return endIfAbsent(MemoryRecord.kind(found));
      }
      fileSlot = shared.fileEpochs().enter();
      leaveMemory(memory);
      if (tree.version() == version) {
        return findOnDisk(tree, version.diskAt(lsn), key, keyLength, lsn, intent);
      }
      // The tables of the old version may be gone already.
      release();
    }
  }

  /** Returns a record, ABSENT or DROPPED. */
  private static long findInMemory(TreeVersion version, long key, int keyLength, long lsn) {
    long found = version.find(key, keyLength, lsn);
    return found == MemoryComponent.NOT_VISIBLE ? MemoryComponent.ABSENT : found;
  }

  private boolean findOnDisk(
      LsmTree tree, DiskVersion disk, long key, int keyLength, long lsn, ReadIntent intent) {
    TreeServices.MissedKeys missedKeys = tree.services().missedKeys();
    try {
      if (disk.runCount() > 0) {
        long hash = Hash64.of(key, keyLength);
        boolean isWatched = intent.keeps() && missedKeys.wants(tree.treeId(), hash);
        lookup.watchesLeaves(isWatched);
        onDisk = findInRuns(disk, key, keyLength, hash, lsn, intent);
        if (isWatched && lookup.usedSince() >= 0) {
          missedKeys.missed(tree.treeId(), hash, lookup.usedSince());
        }
      }
      return onDisk && endIfAbsent(lookup.kind());
    } finally {
      if (!onDisk) {
        release();
      }
    }
  }

  private boolean findInRuns(
      DiskVersion disk, long key, int keyLength, long hash, long lsn, ReadIntent intent) {
    long head = Heads.of(key, keyLength);
    int runs = disk.runCount();
    for (int i = 0; i < runs; i++) {
      LiveTable table = disk.find(i, key, keyLength, head);
      if (table != null && table.table().find(key, keyLength, hash, lsn, lookup, intent)) {
        return true;
      }
    }
    return false;
  }

  private boolean endIfAbsent(byte kind) {
    if (kind == EntryKind.PUT) {
      return true;
    }
    release();
    return false;
  }

  private void leaveMemory(Epochs memory) {
    memory.exit(memorySlot);
    memorySlot = NONE;
  }

  /**
   * Whether the entry that the last {@link #find} met first, a value or anti-matter, was in a
   * memory component. Also valid when {@code find} returned false, and after {@link #release}.
   */
  public boolean isInMemory() {
    return inMemory;
  }

  /** LSN of the value found. */
  public long lsn() {
    return onDisk ? lookup.lsn() : MemoryRecord.lsn(record);
  }

  /** Bytes of the value found. */
  public int valueLength() {
    return onDisk ? lookup.valueLength() : MemoryRecord.valueLength(record);
  }

  /** Copies the first {@code length} bytes of the value. */
  public void copyValue(byte[] target, int offset, int length) {
    long address = onDisk ? lookup.valueAddress() : MemoryRecord.valueAddress(record);
    if (address != 0) {
      Mem.copyOut(address, target, offset, length);
    } else if (onDisk) {
      ValuePieces.copy(lookup::copyValue, target, offset, length);
    } else {
      long at = record;
      MemoryRecord.ValueReader value = new MemoryRecord.ValueReader();
      ValuePieces.copy((from, n, to) -> value.copyValue(at, from, n, to), target, offset, length);
    }
  }

  /** Lets go of the value. */
  public void release() {
    TreeServices shared = services;
    if (shared == null) {
      return;
    }
    if (onDisk) {
      lookup.release();
      onDisk = false;
    }
    if (memorySlot != NONE) {
      leaveMemory(shared.memoryEpochs());
    }
    if (fileSlot != NONE) {
      shared.fileEpochs().exit(fileSlot);
      fileSlot = NONE;
    }
  }
}
