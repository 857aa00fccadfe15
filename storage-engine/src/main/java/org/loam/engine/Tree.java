package org.loam.engine;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.error.Arguments;
import org.loam.engine.commit.CommitLatch;
import org.loam.engine.commit.Committer;
import org.loam.engine.commit.PreparedBatch;
import org.loam.engine.commit.Undos;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.host.HostTree;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.read.TreeReader;
import org.loam.engine.tree.TreeMerging;
import org.loam.lsm.LsmTree;
import org.loam.lsm.PointRead;
import org.loam.lsm.memory.MemoryRecord;

/**
 * An ordered map from byte keys to byte values; keys are compared as unsigned bytes. A handle,
 * cheap and thread-safe. Arrays given in are not kept once the call has returned; arrays returned
 * belong to the caller.
 */
public final class Tree {
  /** Returned instead of a length: the key has no value. */
  public static final int ABSENT = TreeReader.ABSENT;

  private final OpenEngine open;
  private final LsmTree lsm;

  Tree(OpenEngine open, LsmTree lsm) {
    this.open = open;
    this.lsm = lsm;
  }

  LsmTree lsm() {
    return lsm;
  }

  OpenEngine open() {
    return open;
  }

  public String name() {
    return lsm.name();
  }

  /** Number of the data directory where its disk components are; 0 is that of the database. */
  public int directory() {
    return lsm.directory();
  }

  void requireOpen() {
    reader().requireOpen(lsm);
  }

  void requireKey(byte[] key) {
    Arguments.require(key, "key");
    if (key.length > open.maxKeyBytes()) {
      throw new IllegalArgumentException(
          "the key has " + key.length + " bytes, must have at most " + open.maxKeyBytes());
    }
  }

  void requireBounds(ScanOptions options) {
    requireBound(Arguments.require(options, "options").longestBoundBytes());
  }

  void requireBound(int longest) {
    if (longest > open.maxKeyBytes()) {
      throw new IllegalArgumentException(
          "a bound of the scan has "
              + longest
              + " bytes, must have at most "
              + open.maxKeyBytes()
              + " like all keys");
    }
  }

  static void requireValue(byte[] value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "value is null, must not be null; use delete to remove a key");
    }
  }

  // ---- Writing.

  /** Writes a value, replacing one that is there. */
  public void put(byte[] key, byte[] value) {
    put(key, value, WriteOptions.DEFAULT);
  }

  /**
   * Writes a value, replacing one that is there. Faults are those of {@link
   * Engine#write(WriteBatch, WriteOptions)}.
   */
  public void put(byte[] key, byte[] value, WriteOptions options) {
    requireValue(value);
    write(key, value, options);
  }

  private void write(byte[] key, byte @Nullable [] value, WriteOptions options) {
    requireKey(key);
    WriteTerms terms = Arguments.require(options, "options").terms();
    long begun = open.latencies().begin();
    open.writes().committer().write(lsm, key, value, terms);
    open.latencies().wrote(begun);
  }

  /** Deletes a key; it need not exist. */
  public void delete(byte[] key) {
    delete(key, WriteOptions.DEFAULT);
  }

  /** Deletes a key; it need not exist. */
  public void delete(byte[] key, WriteOptions options) {
    write(key, null, options);
  }

  /**
   * Writes or deletes only if the key has an expected value. No other write comes between the look
   * and the write.
   *
   * @param expected the value it must have, null for none
   * @param value the value to write, null to delete
   * @return whether it was written; if not, the value that was seen instead is published
   */
  public boolean compareAndPut(byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
    return compareAndPut(key, expected, value, WriteOptions.DEFAULT);
  }

  /**
   * Writes or deletes only if the key has an expected value. No other write comes between the look
   * and the write. Faults are those of {@link Engine#write(WriteBatch, WriteOptions)}; without a
   * write there is no wait to be admitted.
   *
   * @param expected the value it must have, null for none
   * @param value the value to write, null to delete
   * @param options of the write; when others come first it is tried again, and the timeout is for
   *     all tries together
   * @return whether it was written; if not, the value that was seen instead is published
   */
  public boolean compareAndPut(
      byte[] key, byte @Nullable [] expected, byte @Nullable [] value, WriteOptions options) {
    requireOpen();
    WriteTerms terms = Arguments.require(options, "options").terms();
    CommitLatch latch = open.writes().latch();
    Undos undos = open.writes().undos();
    Committer committer = open.writes().committer();
    long deadline = committer.deadlineNanos(terms);
    requireKey(key);
    PreparedBatch batch = new PreparedBatch(1);
    batch.write(lsm, key, value);
    while (true) {
      // What is applied later is at or above this end. An undo brings back an older LSN.
      long seenEnd = latch.appliedEnd();
      long seenUndos = undos.count();
      byte[] now = reader().read(lsm, key, Long.MAX_VALUE, ReadIntent.QUERY);
      if (!Arrays.equals(now, expected)) {
        latch.awaitPublished();
        return false;
      }
      LongPredicate unchanged =
          record -> isUnchanged(record, seenEnd) && undos.count() == seenUndos;
      if (committer.write(batch, terms, deadline, unchanged)) {
        return true;
      }
    }
  }

  /** Whether a record's key was not written at or above an LSN. Under the commit latch. */
  private boolean isUnchanged(long record, long sinceLsn) {
    long key = MemoryRecord.keyAddress(record);
    // In this order: what left memory before the first look shows in the second.
    return lsm.newestLsnInMemory(key, MemoryRecord.keyLength(record)) < sinceLsn
        && lsm.flushedLsn() < sinceLsn;
  }

  // ---- Reading.

  /** The value of a key, or null. */
  public byte @Nullable [] get(byte[] key) {
    return get(key, ReadOptions.DEFAULT);
  }

  /**
   * The value of a key, or null.
   *
   * @throws org.loam.common.error.CorruptionException if a page on the way is damaged, naming it;
   *     never a wrong answer
   */
  public byte @Nullable [] get(byte[] key, ReadOptions options) {
    requireOpen();
    boolean fillCache = Arguments.require(options, "options").fillCache();
    requireKey(key);
    long begun = open.latencies().begin();
    byte[] value = reader().read(lsm, key, PointRead.LATEST_PUBLISHED, ReadIntent.query(fillCache));
    open.latencies().read(begun);
    return value;
  }

  /**
   * Copies the value of a key, as far as it fits, without allocating.
   *
   * @return the length of the whole value, or {@link #ABSENT}
   */
  public int get(byte[] key, byte[] target) {
    requireOpen();
    Arguments.require(target, "target");
    requireKey(key);
    long begun = open.latencies().begin();
    int length = reader().copy(lsm, key, target);
    open.latencies().read(begun);
    return length;
  }

  /**
   * The values of many keys, all of one moment, null where there is none. Much faster than one by
   * one where they have to be read from disk.
   */
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    requireOpen();
    Arguments.require(keys, "keys").forEach(this::requireKey);
    return Arrays.asList(open.reads().readAll(lsm, keys.toArray(new byte[0][])));
  }

  private TreeReader reader() {
    return open.reads().reader();
  }

  /**
   * A cursor over a range as it is now. Close it, or old versions are kept for it.
   *
   * @throws IllegalArgumentException if a bound is longer than {@link Engine#maxKeyBytes}
   */
  public Cursor scan(ScanOptions options) {
    requireOpen();
    requireBounds(options);
    return new Cursor(open.reads().scan(lsm, options.range()));
  }

  // ---- Loading.

  /**
   * Begins to fill the tree, which must be empty, with sorted entries. They go straight into
   * SSTables, not through write memory and log, and no entry shows before the commit. Until the
   * load is committed or closed, writes to the tree are refused with {@link IllegalStateException}.
   *
   * @throws IllegalStateException if the tree has an entry, where one that deletes counts too; if
   *     it is being loaded already; or if as many loads are open as {@code write.bulkLoads} says
   */
  public BulkLoad bulkLoad() {
    requireOpen();
    int buffers = open.settings().config().write().bulkLoads();
    return new BulkLoad(this, open.loads().begin(lsm, buffers));
  }

  /** What the tree does for a program with transactions of its own. */
  public HostTree host() {
    return new TreeForHost(this, open);
  }

  // ---- Maintenance.

  /** Writes what is in memory to disk components; see {@link Engine#flush}. */
  public void flush() {
    requireOpen();
    open.maintenance().flush(lsm);
  }

  /**
   * Gives the tree merge options of its own, or takes them away again. The change takes effect at
   * once. It is not stored: after the next open the tree follows the engine's settings.
   *
   * <p>Merges have buffers, made at open, for as many groups as the engine's {@code l0.stop} said
   * then. A larger {@code l0Stop} counts as that number.
   *
   * @param options null for the engine's settings
   */
  public void setMergeOptions(@Nullable MergeOptions options) {
    TreeMerging own = options == null ? null : options.merging();
    open.settingChanges().change(lsm, own);
  }

  /**
   * Flushes, and merges everything into the last level. Deleted entries and old versions go unless
   * an open snapshot or cursor needs them, and those go when the tree is compacted again without
   * it. A large tree is merged in parts, so that writes and other merges go on. What is written
   * after the call began need not be in the last level when it ends. Below a {@link
   * org.loam.engine.host.HostLog} only what is on disk is merged, since the host says what may be
   * flushed.
   *
   * @throws org.loam.common.error.StorageException if that failed; it is not tried again
   */
  public void compact() {
    requireOpen();
    open.maintenance().compact(lsm);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Tree tree && tree.lsm == lsm;
  }

  @Override
  public int hashCode() {
    return lsm.treeId();
  }

  @Override
  public String toString() {
    return lsm.toString();
  }
}
