package org.loam.lsm;

import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.error.ClosedException;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.Mem;
import org.loam.lsm.disk.Reach;
import org.loam.lsm.disk.SSTable;
import org.loam.lsm.disk.Way;
import org.loam.lsm.read.EntryCursor;
import org.loam.lsm.read.MergingCursor;
import org.loam.lsm.version.DiskVersion;
import org.loam.lsm.version.RunCursor;
import org.loam.lsm.version.SortedRun;

/**
 * The entries of a key range as of one read LSN, in one direction. Entries are fetched in batches;
 * between two of them it holds nothing but the last key and its read LSN, so that it delays neither
 * flushes nor merges however long it is open. One thread at a time.
 */
public final class TreeScan {
  /**
   * What to scan.
   *
   * @param from first key, or null for the first of all
   * @param to key after the last, or null
   * @param forward ascending or descending
   * @param intent what pages are read for
   * @param limit most entries
   * @param antiMatter whether anti-matter that is in memory is shown, too
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record Range(
      byte @Nullable [] from,
      byte @Nullable [] to,
      boolean forward,
      ReadIntent intent,
      long limit,
      boolean antiMatter) {
    /** Without anti-matter. */
    public Range(
        byte @Nullable [] from,
        byte @Nullable [] to,
        boolean forward,
        ReadIntent intent,
        long limit) {
      this(from, to, forward, intent, limit, false);
    }
  }

  /** Place of the memory components among what is merged: first, since they are newer. */
  private static final int MEMORY = 0;

  private static final int FIRST_BATCH_BYTES = 16 << 10;
  private static final int MAX_BATCH_BYTES = 128 << 10;

  /** What is read ahead of a long scan: as much as two requests bring. */
  private static final int AHEAD_BYTES = 8 * MAX_BATCH_BYTES;

  /** By how much more than the mean a run is expected to give, in standard deviations. */
  private static final double DEVIATIONS = 1.5;

  private final LsmTree tree;
  private final Range range;
  private final long readLsn;
  private final ScanBatch batch;
  private int batchBytes;

  /** Entries that may still be fetched. */
  private long left;

  private byte @Nullable [] position;
  private boolean exhausted;

  /**
   * A scan before its first entry.
   *
   * @param readLsn registered until the scan is not used any more
   * @param batch an empty one, lent for as long
   */
  public TreeScan(LsmTree tree, Range range, long readLsn, ScanBatch batch) {
    this.tree = tree;
    this.batch = batch;
    this.range = range;
    this.readLsn = readLsn;
    this.left = range.limit();
    this.exhausted = left == 0;
    // Whoever says how many entries are wanted gets them with as few descents as possible.
    this.batchBytes = left == Long.MAX_VALUE ? FIRST_BATCH_BYTES : MAX_BATCH_BYTES;
  }

  /**
   * Moves on.
   *
   * @param workspace scratch memory, used during the call only
   * @return false past the end
   * @throws ClosedException if the tree was dropped
   */
  public boolean next(Workspace workspace) {
    while (!batch.next()) {
      if (exhausted) {
        return false;
      }
      fill(workspace);
    }
    return true;
  }

  /** Whether {@link #next} has an entry at hand without fetching; it needs no workspace then. */
  public boolean nextFetched() {
    return batch.next();
  }

  /** The entries at hand; {@link #next} moves through them. */
  public ScanBatch batch() {
    return batch;
  }

  private void fill(Workspace workspace) {
    batch.clear();
    boolean filled = false;
    TreeServices services = tree.services();
    long scratch = workspace.scratch();
    int endLength = putEnd(scratch);
    int endSpace = (endLength + 7) & -8;
    Way way = new Way(endLength == 0 ? 0 : scratch, endLength, scratch + endSpace);
    int used = endSpace + Way.LEAD_BYTES;
    MemoryBatch memory = new MemoryBatch(scratch + used, workspace.scratchBytes() - used);
    int fileSlot = services.fileEpochs().enter();
    try {
      DiskVersion disk = copyMemory(workspace, memory);
      EntryCursor[] sources = new EntryCursor[disk.runCount() + 1];
      sources[MEMORY] = memory;
      for (int i = 0; i < disk.runCount(); i++) {
        sources[i + 1] = cursor(disk, disk.run(i), way);
      }
      try (MergingCursor merged = new MergingCursor(sources, range.forward())) {
        collect(merged, start(merged, workspace), memory);
      }
      requireOpen();
      filled = true;
    } finally {
      services.fileEpochs().exit(fileSlot);
      if (!filled) {
        // The next attempt begins behind the last batch, with the same entries.
        batch.clear();
      }
    }
    left -= batch.count();
    batchBytes = Math.min(2 * batchBytes, MAX_BATCH_BYTES);
  }

  /**
   * A run gives to a batch about the share that it has of the tree's entries, and is expected to
   * give somewhat more: a leaf too few costs a request, a leaf too many a twentieth of one. A run
   * with most of the entries leads the others.
   */
  private RunCursor cursor(DiskVersion disk, SortedRun run, Way way) {
    double expected = expectedEntries(disk);
    double share = (double) run.entries() / disk.entries();
    double likely = expected * share + DEVIATIONS * Math.sqrt(expected * share * (1 - share));
    double pages = (double) run.bytes() / run.entries() / tree.services().memory().pageBytes();
    // One more, since the first leaf is entered somewhere.
    int leaves = 1 + (int) Math.ceil(likely * pages);
    int behind = (int) Math.round(entriesBehind(disk, expected) * share * pages);
    boolean isLeader = expected > 0 && share > 0.5 && share < 1;
    Reach reach = new Reach(leaves, way, isLeader, behind, this::readAhead);
    return new RunCursor(run, table -> table.table().cursor(readLsn, range.intent(), reach));
  }

  /** Entries of the next batch as far as it is known that somebody wants them. */
  private double expectedEntries(DiskVersion disk) {
    boolean isBounded = range.limit() < Long.MAX_VALUE || end() != null;
    boolean isGoingOn = position != null;
    return isBounded || isGoingOn ? Math.min((double) left, entriesIn(batchBytes, disk)) : 0;
  }

  /**
   * Entries behind those of the next batch that are to be read ahead: none before it is known, by
   * the limit or by what was shown, that the scan is a long one; none if pages go with their use,
   * since then each batch has to read the leaf that it begins in, and reads the others along with
   * it.
   */
  private double entriesBehind(DiskVersion disk, double expected) {
    boolean isLong = batchBytes == MAX_BATCH_BYTES && range.intent().keeps();
    return isLong ? Math.min(left - expected, entriesIn(AHEAD_BYTES, disk)) : 0;
  }

  /** About how many of the entries on disk so many bytes hold. */
  private static double entriesIn(int bytes, DiskVersion disk) {
    return bytes * (double) disk.entries() / disk.bytes();
  }

  /** The table stays as long as somebody is inside the file epoch: until it was read from. */
  private void readAhead(SSTable table, int pageNo, int lastPageNo) {
    Epochs epochs = tree.services().fileEpochs();
    int slot = epochs.enter();
    boolean begun = false;
    try {
      begun =
          tree.services()
              .backgroundReads()
              .begin(
                  () -> {
                    try {
                      table.readAhead(pageNo, lastPageNo);
                    } finally {
                      epochs.exit(slot);
                    }
                  });
    } finally {
      if (!begun) {
        epochs.exit(slot);
      }
    }
  }

  /**
   * Copies the end of the range, which bounds what is read ahead and nothing else: so one longer
   * than any key is cut.
   *
   * @return bytes copied, 0 if there is no end
   */
  private int putEnd(long target) {
    byte[] end = end();
    if (end == null) {
      return 0;
    }
    int length = Math.min(end.length, Workspace.KEY_BYTES);
    Mem.copyIn(end, 0, target, length);
    return length;
  }

  /** Copies the next entries in memory, and returns the disk part of the same version. */
  private DiskVersion copyMemory(Workspace workspace, MemoryBatch memory) {
    TreeServices services = tree.services();
    int slot = services.memoryEpochs().enter();
    try {
      TreeVersion version = tree.version();
      long entries = expectedInMemory(version);
      try (MergingCursor merged = memoryCursor(version)) {
        memory.fill(merged, start(merged, workspace), position, batchBytes, entries);
      }
      memory.onEnd(copied -> copyMore(version, memory, 4 * copied, workspace));
      return version.diskAt(readLsn);
    } finally {
      services.memoryEpochs().exit(slot);
    }
  }

  /** Copies what comes after; false if the tree has another version by now. */
  private boolean copyMore(
      TreeVersion version, MemoryBatch memory, long entries, Workspace workspace) {
    TreeServices services = tree.services();
    int slot = services.memoryEpochs().enter();
    try {
      if (tree.version() != version) {
        return false;
      }
      byte[] last = memory.lastKey();
      try (MergingCursor merged = memoryCursor(version)) {
        boolean valid = merged.seek(workspace.putKey(last), last.length);
        memory.fill(merged, valid, last, batchBytes, entries);
      }
      return true;
    } finally {
      services.memoryEpochs().exit(slot);
    }
  }

  private MergingCursor memoryCursor(TreeVersion version) {
    EntryCursor[] sources = new EntryCursor[1 + version.frozen.length];
    sources[0] = version.active.cursor(readLsn);
    for (int i = 0; i < version.frozen.length; i++) {
      sources[i + 1] = version.frozen[i].component().cursor(readLsn);
    }
    return new MergingCursor(sources, range.forward());
  }

  /**
   * As many entries of the batch as memory has a share in all entries, and the usual deviation
   * twice: each copied in vain costs a walk through cold memory.
   */
  private long expectedInMemory(TreeVersion version) {
    DiskVersion disk = version.diskAt(readLsn);
    if (disk.entries() == 0) {
      return left;
    }
    double inMemory = version.active.keyCount();
    for (TreeVersion.Frozen frozen : version.frozen) {
      inMemory += frozen.component().keyCount();
    }
    double batch = Math.min((double) left, entriesIn(batchBytes, disk));
    double share = batch * inMemory / (inMemory + disk.entries());
    return Math.min(left, (long) (share + 2 * Math.sqrt(share)) + 4);
  }

  private boolean start(MergingCursor merged, Workspace workspace) {
    byte[] from = position != null ? position : range.forward() ? range.from() : range.to();
    return from == null ? merged.first() : merged.seek(workspace.putKey(from), from.length);
  }

  private void collect(MergingCursor merged, boolean valid, MemoryBatch memory) {
    boolean go = valid;
    int lastSource = -1;
    if (position != null) {
      batch.passOver(position);
    }
    while (go) {
      EntryCursor entry = merged.current();
      // A source shows each key once.
      if (merged.currentIndex() == lastSource || !batch.hasLastKey(entry)) {
        if (isPastEnd(entry)) {
          exhausted = true;
          return;
        }
        if (batch.isFull(batchBytes)) {
          break;
        }
        lastSource = merged.currentIndex();
        if (entry.kind() == EntryKind.PUT || (range.antiMatter() && lastSource == MEMORY)) {
          batch.add(entry, lastSource == MEMORY);
          if (batch.count() == left) {
            exhausted = true;
            return;
          }
        } else {
          batch.passOver(entry);
        }
      }
      go = merged.advance();
      if (memory.hasMore() && memory.isExhausted()) {
        break;
      }
    }
    exhausted = !go && !memory.hasMore();
    position = batch.lastKey();
  }

  /** Where the scan ends: without this key if it goes forward, with it if backward. */
  private byte @Nullable [] end() {
    return range.forward() ? range.to() : range.from();
  }

  private boolean isPastEnd(EntryCursor entry) {
    byte[] end = end();
    if (end == null) {
      return false;
    }
    int order = Mem.compare(end, 0, end.length, entry.keyAddress(), entry.keyLength());
    return range.forward() ? order <= 0 : order > 0;
  }

  /** A dropped tree looks empty; nobody may take that for the end of the range. */
  private void requireOpen() {
    if (tree.isDropped()) {
      throw new ClosedException("tree '" + tree.name() + "' was dropped");
    }
  }
}
