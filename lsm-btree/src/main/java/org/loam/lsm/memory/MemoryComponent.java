package org.loam.lsm.memory;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.loam.common.env.Waiter;
import org.loam.common.mem.Moments;
import org.loam.common.mem.PagePool;
import org.loam.lsm.read.Entry;
import org.loam.lsm.read.EntryCursor;

/**
 * A mutable sorted run: a B+-tree over versioned records, all of it in pages of one quota, freed as
 * a whole. Keys are compared as unsigned bytes.
 *
 * <p>A write goes through three steps: {@link #prepare} copies the record in, by any thread,
 * outside of locks; {@link #reserve} makes sure that the tree can grow; {@link #insert} shows the
 * record to readers and cannot fail. {@code reserve}, {@code insert} and {@code undo} are for one
 * thread at a time, under the commit latch.
 *
 * <p>{@link #find} and the cursors are for any number of threads, beside the writer and without
 * locks, inside a memory epoch: it keeps {@link #release} away, and within it every address
 * returned stays readable. They retry when the writer changes what they read.
 */
public final class MemoryComponent {
  /** Returned by {@link #find}: the component has no version of the key. */
  public static final long ABSENT = 0;

  /**
   * Returned by {@link #find}: every version of the key that the component ever had is above the
   * read LSN; an older component may have one.
   */
  public static final long NOT_VISIBLE = VersionChain.NOT_VISIBLE;

  /**
   * Returned by {@link #find}: the version at the read LSN was dropped, since that LSN was not
   * registered; retry with a newer one.
   */
  public static final long DROPPED = VersionChain.DROPPED;

  private final int pageBytes;
  private final RecordArena records;
  private final NodeArena nodes;
  private final RecordTree tree;
  private final TreeWriter writer;

  private final AtomicLong keyCount = new AtomicLong();
  private long minLsn = Long.MAX_VALUE;
  private long maxLsn = -1;
  private boolean released;
  private boolean frozen;

  /** Inserts that the next {@link #reservePlanned} is for. */
  private int planned;

  /**
   * Makes an empty component, which takes its first page with its first record.
   *
   * @param quota where pages come from; must outlive the component
   * @param pageBytes their size, a power of two from 4 KB to 32 KB; they are aligned to it
   * @param epochs the memory epochs
   * @param waiter for readers that meet a change
   */
  public MemoryComponent(PagePool.Quota quota, int pageBytes, Moments epochs, Waiter waiter) {
    this.pageBytes = pageBytes;
    this.records = new RecordArena(quota, pageBytes, epochs);
    this.nodes = new NodeArena(quota, pageBytes);
    this.tree = new RecordTree(waiter);
    this.writer = new TreeWriter(tree, nodes, records);
  }

  RecordTree tree() {
    return tree;
  }

  /**
   * Copies an entry in, to be inserted later or never. Thread-safe.
   *
   * @param kind one of {@link org.loam.common.key.EntryKind}
   * @return the record, or 0 if the quota is used up
   * @throws IllegalArgumentException if the key is longer than a quarter of a page or the value
   *     than {@link MemoryRecord#MAX_VALUE_BYTES}
   */
  public long prepare(
      byte kind, long keyAddress, int keyLength, long valueAddress, int valueLength) {
    long record = records.allocate(kind, keyLength, valueLength);
    if (record != 0) {
      RecordArena.fill(record, keyAddress, valueAddress);
    }
    return record;
  }

  /** Like {@link #prepare(byte, long, int, long, int)}, from arrays. */
  public long prepare(byte kind, byte[] key, byte[] value) {
    long record = records.allocate(kind, key.length, value.length);
    if (record != 0) {
      RecordArena.fill(record, key, value);
    }
    return record;
  }

  /** Takes back a record that was prepared and is never inserted. Thread-safe. */
  public void giveBack(long record, int keyLength, int valueLength) {
    records.giveBack(record, keyLength, valueLength);
  }

  /**
   * Makes sure that the next inserts find the nodes they may need. Does not add up: a second call
   * before those inserts must count them again. Under the commit latch.
   *
   * @return false if the quota is used up; what was taken serves later inserts
   */
  public boolean reserve(int operations) {
    return writer.reserve(operations);
  }

  /** Counts one more insert for {@link #reservePlanned}. Under the commit latch. */
  public void plan() {
    planned++;
  }

  /** Like {@link #reserve}, for the inserts that were counted; counts from zero again. */
  public boolean reservePlanned() {
    int operations = planned;
    planned = 0;
    return operations == 0 || reserve(operations);
  }

  /** Takes no more writes from now on. Under the commit latch. */
  public void freeze() {
    frozen = true;
  }

  /** Whether it takes no more writes, in a tree or out of it. Under the commit latch. */
  public boolean isFrozen() {
    return frozen;
  }

  /**
   * Shows a prepared record to readers as the newest version of its key, and unlinks older versions
   * that no reader needs. Under the commit latch, after {@link #reserve}.
   *
   * @param record prepared by this component, not inserted before
   * @param lsn not below that of the key's newest version; an equal one (a batch that writes a key
   *     twice) replaces it
   */
  public void insert(long record, long lsn, VersionRetention retention) {
    MemoryRecord.setLsn(record, lsn);
    count(writer.insert(record, retention), lsn);
  }

  /**
   * Like {@link #insert(long, long, VersionRetention)}, for a record of a batch whose place was
   * looked for.
   *
   * @param at of the record in the batch
   */
  public void insert(
      long record, long lsn, VersionRetention retention, InsertionPoints points, int at) {
    MemoryRecord.setLsn(record, lsn);
    count(writer.insert(record, retention, points, at), lsn);
  }

  private void count(boolean isNewKey, long lsn) {
    if (isNewKey) {
      addKeys(1);
    }
    minLsn = Math.min(minLsn, lsn);
    maxLsn = Math.max(maxLsn, lsn);
  }

  /** One thread adds at a time, as to what is superseded. */
  private void addKeys(int keys) {
    keyCount.setRelease(keyCount.getPlain() + keys);
  }

  /** Under the commit latch, or before another thread knows the component: one thread adds. */
  void addSuperseded(long bytes) {
    records.addSuperseded(bytes);
  }

  /** Copies an entry in, with its key; 0 if the quota is used up. */
  long copyIn(Entry entry) {
    long record = records.allocate(entry.kind(), entry.keyLength(), entry.valueLength());
    if (record != 0) {
      RecordArena.fill(record, entry);
      if (entry.isWarm()) {
        MemoryRecord.markWarm(record);
      }
    }
    return record;
  }

  /** Shows the newest version of a key, which lies in another component, after {@link #reserve}. */
  void index(long record) {
    count(writer.insert(record, VersionRetention.ALL), MemoryRecord.lsn(record));
  }

  /** Counts a version that is linked behind one of its own. */
  void noteOldest(long record) {
    minLsn = Math.min(minLsn, MemoryRecord.lsn(record));
  }

  /** Counts the records of other components as its own. */
  void borrow(List<MemoryComponent> lenders) {
    records.borrow(lenders.stream().map(lender -> lender.records).toList());
    lenders.forEach(lender -> addSuperseded(lender.supersededBytes()));
    if (lenders.size() == 1) {
      // The log may still lose what superseded the oldest write.
      minLsn = lenders.get(0).minLsn;
    }
  }

  /** Another component has its records from now on. */
  void giveRecords() {
    records.give();
  }

  /** Puts a version below one of the same key that nothing reads yet. */
  void addOlder(long newer, long record, long lsn) {
    MemoryRecord.setLsn(record, lsn);
    VersionChain.append(newer, record);
    minLsn = Math.min(minLsn, lsn);
    maxLsn = Math.max(maxLsn, lsn);
  }

  /**
   * Takes the newest version of a key away, for the rollback of a host's transaction. Without an
   * older version the key is absent again. Under the commit latch.
   *
   * @return false if the key's newest version has another LSN, or there is none
   * @throws AssertionError if the version below was dropped, although retention must keep it
   */
  public boolean undo(long keyAddress, int keyLength, long lsn) {
    long undone = writer.undo(keyAddress, keyLength, lsn);
    if (undone == 0) {
      return false;
    }
    addSuperseded(MemoryRecord.sizeBytes(undone));
    if (tree.find(keyAddress, keyLength, Long.MAX_VALUE) == ABSENT) {
      addKeys(-1);
    }
    return true;
  }

  /**
   * Looks a key up, inside a memory epoch.
   *
   * @return the newest version at or below the read LSN, to be read with {@link MemoryRecord}; or
   *     {@link #ABSENT}, {@link #NOT_VISIBLE}, {@link #DROPPED}, none of which is positive
   */
  public long find(long keyAddress, int keyLength, long readLsn) {
    return tree.find(keyAddress, keyLength, readLsn);
  }

  /**
   * A read cursor, to be used inside the memory epoch in which it is positioned. Its moves throw
   * {@link AssertionError} when they need a version that was dropped: the read LSN must be
   * registered.
   */
  public EntryCursor cursor(long readLsn) {
    return new ReadCursor(tree, readLsn);
  }

  /** Memory taken from the quota. Thread-safe. */
  public long usedBytes() {
    return (long) (records.pageCount() + nodes.pageCount()) * pageBytes;
  }

  /** Bytes at the ends of pages, and of records that could not be prepared, or were given back. */
  public long wastedBytes() {
    return records.wastedBytes();
  }

  /**
   * Bytes of versions that were unlinked or undone, and whose room no newer record has taken.
   * Thread-safe.
   */
  public long supersededBytes() {
    return records.supersededBytes();
  }

  /** Of the memory, what is neither superseded nor wasted, never negative. Thread-safe. */
  public long liveBytes() {
    // In this order: bytes are filled before they are superseded.
    long superseded = supersededBytes();
    return Math.max(0, filledBytes() - superseded);
  }

  /** Of the memory, what is not wasted. Thread-safe. */
  public long filledBytes() {
    // In this order: bytes lie in a page of the component before they can be of no use.
    long wasted = wastedBytes();
    return usedBytes() - wasted;
  }

  /** Whether nothing was ever inserted. Thread-safe. */
  public boolean isEmpty() {
    return tree.root() == 0;
  }

  /** Keys with at least one version. Thread-safe, exact under the commit latch. */
  public long keyCount() {
    return keyCount.getAcquire();
  }

  /** The smallest LSN inserted, undone ones counted; {@code Long.MAX_VALUE} if there is none. */
  public long minLsn() {
    return minLsn;
  }

  /** The largest LSN inserted, undone ones counted; -1 if there is none. */
  public long maxLsn() {
    return maxLsn;
  }

  /**
   * Keys that divide the component into pieces with about as many keys each, as far as its two
   * upper levels of nodes tell. Under the commit latch, or of a frozen component; inside a memory
   * epoch.
   *
   * @param pieces how many are wanted
   * @return ascending, one less than the pieces, or fewer if there are too few keys
   */
  public List<byte[]> divide(int pieces) {
    return tree.divide(pieces);
  }

  /**
   * Gives all memory back; the component must not be used again. The caller has made sure that no
   * epoch and no cursor can still reach it.
   *
   * @throws AssertionError if it was released before: its pages may be in use again
   */
  public void release() {
    if (released) {
      throw new AssertionError("a memory component is released twice");
    }
    released = true;
    tree.setRoot(0);
    nodes.release();
    records.release();
  }
}
