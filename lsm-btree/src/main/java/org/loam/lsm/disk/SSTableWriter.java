package org.loam.lsm.disk;

import java.nio.file.Path;
import org.loam.cache.BufferCache;
import org.loam.cache.PageHeader;
import org.loam.common.codec.Hash64;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.Entry;
import org.loam.scheduler.merge.KeyRange;

/**
 * Writes one SSTable: entries in order, then {@link #finish}, or {@link #abandon} at any time. One
 * thread.
 *
 * <p>A fault (disk full, I/O error, a source that cannot be read) passes through to the caller and
 * leaves a writer that can only be abandoned. The same holds if the caller ignored {@link #full}.
 */
public final class SSTableWriter {
  private enum State {
    OPEN,
    /** Inside of a change; still there after a fault in its midst. */
    CHANGING,
    /** All is written; nothing of it need be durable. */
    COMPLETE,
    CLOSED
  }

  /**
   * Part of the work memory that {@link #full} keeps free: 1/8, at least 0.8 pages. The entry that
   * uses some of it adds a hash and a separator of at most a quarter of a page; then the file is
   * full, and older versions of that key add nothing.
   */
  private static final int RESERVE_SHIFT = 3;

  private final StorageFiles files;
  private final StorageFile file;
  private final BufferCache cache;
  private final SSTableOptions options;
  private final int pageBytes;
  private final PageOutput output;
  private final PageBuilder builder;
  private final FilterBuilder filter;
  private final IndexBuilder index;
  private final FileFacts facts = new FileFacts();
  private final LeafWriter leaves;
  private final long reserveBytes;

  private State state = State.OPEN;
  private final long lastKey;
  private int lastKeyLength;
  private long lastLsn;

  private SSTableWriter(
      StorageFiles files,
      StorageFile file,
      SSTableOptions options,
      WriterMemory memory,
      BufferCache cache) {
    this.files = files;
    this.file = file;
    this.cache = cache;
    this.options = options;
    this.pageBytes = options.pageBytes();
    this.output =
        new PageOutput(file, options, memory.pages(), memory.pagesBytes() / pageBytes, cache);
    long work = memory.work();
    this.builder = new PageBuilder(pageBytes, work);
    this.leaves = new LeafWriter(options, output, builder, facts);
    work += PageBuilder.memoryBytes(pageBytes);
    this.lastKey = work;
    work += SSTableOptions.maxKeyBytes(pageBytes);
    long workEnd = memory.work() + memory.workBytes();
    this.filter = new FilterBuilder(pageBytes, options.filterBitsPerKey(), work);
    this.index = new IndexBuilder(workEnd, lastKey);
    this.reserveBytes = (workEnd - work) >>> RESERVE_SHIFT;
  }

  /**
   * Creates the file.
   *
   * @param memory lent until {@link #finish} or {@link #abandon} has returned
   * @param cache takes the pages with entries that readers want, and how to find them
   */
  public static SSTableWriter create(
      StorageFiles files,
      Path path,
      SSTableOptions options,
      WriterMemory memory,
      BufferCache cache) {
    memory.requireFor(options.pageBytes());
    StorageFile file = files.open(path, StorageFiles.Mode.CREATE);
    try {
      return new SSTableWriter(files, file, options, memory, cache);
    } catch (Throwable t) {
      file.close();
      files.delete(path);
      throw t;
    }
  }

  /**
   * Adds a copy of an entry.
   *
   * @throws IllegalArgumentException if the entry cannot be stored; the writer is as before
   * @throws AssertionError if it is not after the entry added last: keys must ascend, and, if LSNs
   *     are kept, of one key the LSNs descend
   * @throws IllegalStateException if the memory is used up since {@link #full} was ignored
   */
  public void add(Entry at) {
    requireOpen();
    long key = at.keyAddress();
    int keyLength = at.keyLength();
    long lsn = at.lsn();
    byte kind = at.kind();
    int valueLength = at.valueLength();
    leaves.requireStorable(keyLength, kind, lsn, valueLength);
    int common = Mem.mismatch(lastKey, key, Math.min(lastKeyLength, keyLength));
    boolean older = facts.entryCount > 0 && isOlderVersion(key, keyLength, common, lsn);
    requireRoom(older);
    state = State.CHANGING;
    int meta = leaves.meta(kind, older, valueLength);
    if (leaves.isOpen() && !leaves.fits(keyLength, common, meta, lsn, valueLength)) {
      leaves.finish();
    }
    if (!leaves.isOpen()) {
      startLeaf(key, keyLength, common, older);
    }
    long place = leaves.add(key, keyLength, common, meta, lsn, valueLength);
    leaves.putValue(at, place, meta, lsn, valueLength);
    note(key, keyLength, common, kind, lsn, older);
    state = State.OPEN;
  }

  private void note(long key, int keyLength, int common, byte kind, long lsn, boolean older) {
    if (!older && filter.isWanted()) {
      filter.add(Hash64.of(key, keyLength));
    }
    if (facts.entryCount == 0) {
      facts.minKey = KeyBytes.toArray(key, keyLength);
    }
    facts.add(kind, lsn, keyLength, older);
    KeyBytes.copy(key + common, lastKey + common, keyLength - common);
    lastKeyLength = keyLength;
    lastLsn = lsn;
  }

  /** Whether the key is that of the last entry; fails if the entry is not after it. */
  private boolean isOlderVersion(long key, int keyLength, int common, long lsn) {
    boolean same = common == keyLength && common == lastKeyLength;
    boolean after =
        same
            ? options.keepLsns() && lsn < lastLsn
            : common < keyLength
                && (common == lastKeyLength
                    || (Mem.getByte(key + common) & 0xff) > (Mem.getByte(lastKey + common) & 0xff));
    if (!after) {
      throw new AssertionError(
          file.path()
              + ": entry "
              + facts.entryCount
              + " of "
              + (same ? "the same key, LSN " + lsn + " after " + lastLsn : "a key out of order"));
    }
    return same;
  }

  private void startLeaf(long key, int keyLength, int common, boolean older) {
    int pageNo = leaves.begin();
    // The shortest prefix above the last key; the first separator only has to be some key.
    boolean first = facts.entryCount == 0;
    int separatorLength = first || older ? keyLength : common + 1;
    if (older && full()) {
      // The file ends before the next key, so only older versions of this one follow.
      index.addUnlisted(lastLsn - 1, pageNo);
    } else {
      index.add(key, separatorLength, older ? lastLsn - 1 : -1, pageNo);
    }
  }

  private long roomBytes() {
    return index.low() - filter.end();
  }

  private void requireRoom(boolean older) {
    if ((!older && index.hasUnlisted())
        || roomBytes() < Long.BYTES + IndexBuilder.maxSeparatorBytes(pageBytes)) {
      throw new IllegalStateException(
          file.path() + ": work memory is used up after " + facts.entryCount + " entries");
    }
  }

  /**
   * Whether the file should end before the next key, as the memory for its keys and leaves is
   * nearly used up. Any number of versions of the current key still find room.
   */
  public boolean full() {
    return roomBytes() < reserveBytes;
  }

  /** Entries so far. */
  public long entryCount() {
    return facts.entryCount;
  }

  /** Size so far, without filter and index. */
  public long sizeBytes() {
    return (long) output.nextPageNo() * pageBytes;
  }

  /** Bytes written since the last {@link #force}. */
  public long bytesSinceForce() {
    return output.unforcedBytes();
  }

  /** Makes durable what was written, so that the last force has less to do. */
  public void force() {
    requireOpen();
    state = State.CHANGING;
    output.force();
    state = State.OPEN;
  }

  /**
   * Completes, forces and closes the file. The caller makes the name of the file durable: it forces
   * the directory.
   *
   * @throws IllegalStateException if there is no entry
   */
  public SSTableMeta finish() {
    SSTableMeta meta = complete();
    forceComplete();
    return meta;
  }

  /**
   * Completes the file, of which nothing need be durable before {@link #forceComplete}. The memory
   * of the writer is free from here on.
   *
   * @throws IllegalStateException if there is no entry
   */
  public SSTableMeta complete() {
    requireOpen();
    if (facts.entryCount == 0) {
      throw new IllegalStateException(file.path() + ": an SSTable has at least one entry");
    }
    state = State.CHANGING;
    if (leaves.isOpen()) {
      leaves.finish();
    }
    byte[] maxKey = KeyBytes.toArray(lastKey, lastKeyLength);
    output.setWarm(leaves.isAnyWarm());
    int filterPages = filter.write(output);
    int root = index.write(output, builder);
    // The footer is written with the last pages: a small table is one write.
    FileRoots roots =
        new FileRoots(
            output.nextPageNo() + 1,
            output.pagesCrc(),
            filterPages,
            filter.probes(),
            index.levels(),
            root);
    int fileCrc = writeFooter(roots, maxKey);
    state = State.COMPLETE;
    return new SSTableMeta(
        options.fileId(),
        options.salt(),
        (long) roots.pageCount() * pageBytes,
        fileCrc,
        new SSTableMeta.Counts(facts.entryCount, facts.antiMatterCount),
        new KeyRange(facts.minKey, maxKey),
        new SSTableMeta.Lsns(facts.minLsn, facts.maxLsn));
  }

  /** Forces and closes a file that is complete. */
  public void forceComplete() {
    if (state != State.COMPLETE) {
      throw new IllegalStateException(file.path() + ": the table is not complete");
    }
    state = State.CHANGING;
    output.force();
    file.close();
    state = State.CLOSED;
  }

  private int writeFooter(FileRoots roots, byte[] maxKey) {
    output.setWarm(false);
    long page = output.open();
    Mem.fill(page, pageBytes, (byte) 0);
    PageHeader.start(page, PageType.FOOTER);
    PageHeader.setMaxLsn(page, facts.maxLsn);
    FooterWriter.put(page, options, facts, roots, maxKey);
    output.seal(page);
    int checksum = PageHeader.checksum(page);
    output.flush();
    return checksum;
  }

  /** Closes and deletes the file, unless it is closed. */
  public void abandon() {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    cache.purge(options.fileId(), output.nextPageNo());
    try {
      file.close();
    } finally {
      files.delete(file.path());
    }
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          file.path() + ": the writer is " + (state == State.CLOSED ? "closed" : "broken"));
    }
  }
}
