package org.loam.engine;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.NanoClock;
import org.loam.common.error.ClosedException;
import org.loam.lsm.LsmTree;
import org.loam.lsm.PointRead;
import org.loam.lsm.memory.MemoryRecord;
import org.loam.scheduler.run.StallCause;
import org.loam.scheduler.run.StallLog;

/**
 * An ordered map from byte keys to byte values; keys are compared as unsigned bytes. A handle,
 * cheap and thread-safe. Arrays given in are not kept once the call has returned; arrays returned
 * belong to the caller.
 */
public final class Tree {
  /** Returned instead of a length: the key has no value. */
  public static final int ABSENT = -1;

  private final Engine engine;
  private final LsmTree lsm;

  Tree(Engine engine, LsmTree lsm) {
    this.engine = engine;
    this.lsm = lsm;
  }

  LsmTree lsm() {
    return lsm;
  }

  Engine engine() {
    return engine;
  }

  public String name() {
    return lsm.name();
  }

  /** Number of the data directory where its disk components are; 0 is that of the database. */
  public int directory() {
    return lsm.directory();
  }

  void requireOpen() {
    engine.requireOpen();
    if (lsm.isDropped()) {
      throw new ClosedException("tree '" + lsm.name() + "' was dropped");
    }
  }

  /** Refuses writes while the tree is being loaded. */
  void requireWritable() {
    requireOpen();
    if (lsm.isLoading()) {
      throw new IllegalStateException(
          this + " is being loaded: it takes no writes until its BulkLoad is committed or closed");
    }
  }

  void requireKey(byte[] key) {
    Arguments.require(key, "key");
    if (key.length > engine.maxKeyBytes()) {
      throw new IllegalArgumentException(
          "the key has " + key.length + " bytes, must have at most " + engine.maxKeyBytes());
    }
  }

  void requireBounds(ScanOptions options) {
    int longest = Arguments.require(options, "options").longestBoundBytes();
    if (longest > engine.maxKeyBytes()) {
      throw new IllegalArgumentException(
          "a bound of the scan has "
              + longest
              + " bytes, must have at most "
              + engine.maxKeyBytes()
              + " like all keys");
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
    engine.write(new WriteBatch().put(this, key, value), options);
  }

  /** Deletes a key; it need not exist. */
  public void delete(byte[] key) {
    delete(key, WriteOptions.DEFAULT);
  }

  /** Deletes a key; it need not exist. */
  public void delete(byte[] key, WriteOptions options) {
    engine.write(new WriteBatch().delete(this, key), options);
  }

  /**
   * Writes or deletes only if the key has an expected value; nothing comes between looking and
   * writing.
   *
   * @param expected the value it must have, null for none
   * @param value the value to write, null to delete
   * @return whether it was written; if not, the value that was seen instead is published
   */
  public boolean compareAndPut(byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
    return compareAndPut(key, expected, value, WriteOptions.DEFAULT);
  }

  /**
   * Writes or deletes only if the key has an expected value; nothing comes between looking and
   * writing. Faults are those of {@link Engine#write(WriteBatch, WriteOptions)}; without a write
   * there is no wait to be admitted.
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
    Committer committer = engine.kernel().committer;
    long deadline = committer.deadlineNanos(Arguments.require(options, "options"));
    WriteBatch batch = new WriteBatch();
    if (value == null) {
      batch.delete(this, key);
    } else {
      batch.put(this, key, value);
    }
    while (true) {
      // Whatever is applied later is at or above this, and makes the condition fail.
      long seenEnd = committer.appliedEnd();
      byte[] now = read(key, Long.MAX_VALUE, true);
      if (!Arrays.equals(now, expected)) {
        committer.awaitPublished();
        return false;
      }
      if (committer.write(batch, options, deadline, record -> isUnchanged(record, seenEnd))) {
        return true;
      }
    }
  }

  /**
   * Takes back the newest write of a key, for the rollback of a host's transaction: what was before
   * shows again. Writes are taken back in the opposite order of their making, and before the next
   * {@link #beginFlush}.
   *
   * @return false if nothing was written to the key since the last flush began
   * @throws UnsupportedOperationException if the engine has no {@link HostLog}
   */
  public boolean undo(byte[] key) {
    requireOpen();
    Kernel kernel = engine.kernel();
    if (!kernel.log.isHosted()) {
      throw new UnsupportedOperationException(
          "undo is for engines below the log of a host; this one has its own");
    }
    OperationContext context = begin(key);
    try {
      return kernel.committer.undo(lsm, context.workspace.putKey(key), key.length);
    } finally {
      kernel.operations.exit(context);
    }
  }

  /**
   * Puts on record that the host keeps writers of the tree out until it has been flushed: a stall
   * for {@link StallCause#HOST_FLUSH}.
   *
   * @return ends it; to be run once
   */
  public Runnable beginHostStall() {
    requireOpen();
    Kernel kernel = engine.kernel();
    NanoClock clock = kernel.env.clock();
    StallLog.Stall stall =
        kernel.stalls.begin(StallCause.HOST_FLUSH, lsm.treeId(), clock.nanoTime());
    return () -> stall.end(clock.nanoTime());
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
    return read(key, PointRead.LATEST_PUBLISHED, fillCache);
  }

  /**
   * The value of a key, and whether write memory has the key.
   *
   * @throws org.loam.common.error.CorruptionException as {@link #get(byte[], ReadOptions)}
   */
  public Found find(byte[] key) {
    requireOpen();
    OperationContext context = begin(key);
    try {
      byte[] value = read(context, key, PointRead.LATEST_PUBLISHED, true);
      return new Found(value, context.read.isInMemory());
    } finally {
      engine.kernel().operations.exit(context);
    }
  }

  /**
   * Copies the value of a key, as far as it fits, without allocating.
   *
   * @return the length of the whole value, or {@link #ABSENT}
   */
  public int get(byte[] key, byte[] target) {
    requireOpen();
    Arguments.require(target, "target");
    OperationContext context = begin(key);
    try {
      PointRead read = context.read;
      long address = context.workspace.putKey(key);
      if (!read.find(lsm, address, key.length, PointRead.LATEST_PUBLISHED, true)) {
        requireOpen();
        return ABSENT;
      }
      try {
        int length = read.valueLength();
        read.copyValue(target, 0, Math.min(length, target.length));
        return length;
      } finally {
        read.release();
      }
    } finally {
      engine.kernel().operations.exit(context);
    }
  }

  /**
   * The values of many keys, all of one moment, null where there is none. Much faster than one by
   * one where they have to be read from disk.
   */
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    requireOpen();
    Arguments.require(keys, "keys").forEach(this::requireKey);
    Kernel kernel = engine.kernel();
    OperationContext context = kernel.operations.enter();
    long readLsn;
    try {
      readLsn = kernel.reads.register();
    } finally {
      kernel.operations.exit(context);
    }
    try {
      byte[][] array = keys.toArray(new byte[0][]);
      return Arrays.asList(kernel.multiGet.read(this, array, array.length, readLsn));
    } finally {
      kernel.reads.release(readLsn);
    }
  }

  byte @Nullable [] read(byte[] key, long readLsn, boolean fillCache) {
    OperationContext context = begin(key);
    try {
      return read(context, key, readLsn, fillCache);
    } finally {
      engine.kernel().operations.exit(context);
    }
  }

  private byte @Nullable [] read(
      OperationContext context, byte[] key, long readLsn, boolean fillCache) {
    PointRead read = context.read;
    long address = context.workspace.putKey(key);
    if (!read.find(lsm, address, key.length, readLsn, fillCache)) {
      // A tree that was dropped meanwhile looks empty.
      requireOpen();
      return null;
    }
    try {
      byte[] value = new byte[read.valueLength()];
      read.copyValue(value, 0, value.length);
      return value;
    } finally {
      read.release();
    }
  }

  private OperationContext begin(byte[] key) {
    requireKey(key);
    return engine.kernel().operations.enter();
  }

  /**
   * A cursor over a range as it is now. Close it, or old versions are kept for it.
   *
   * @throws IllegalArgumentException if a bound is longer than {@link Engine#maxKeyBytes}
   */
  public Cursor scan(ScanOptions options) {
    requireOpen();
    requireBounds(options);
    OperationContext context = engine.kernel().operations.enter();
    try {
      return new Cursor(this, options, engine.kernel().reads.register());
    } finally {
      engine.kernel().operations.exit(context);
    }
  }

  // ---- Loading.

  /**
   * Begins to fill the tree, which must be empty, with sorted entries at once: past write memory
   * and log, straight into SSTables. Until it is committed or closed, nothing of it shows, and
   * writes to the tree are refused with {@link IllegalStateException}.
   *
   * @throws IllegalStateException if the tree has an entry, be it one that deletes, if it is being
   *     loaded already, or if as many loads are open as {@code write.bulkLoads} says
   */
  public BulkLoad bulkLoad() {
    requireOpen();
    return engine.loads().begin(this);
  }

  /**
   * Begins as {@link #bulkLoad} does if that is possible now, for who has another way.
   *
   * @return null if the tree has an entry, be it one that deletes, or as many loads are open as
   *     {@code write.bulkLoads} says; the tree is as before then
   * @throws IllegalStateException if it is being loaded already
   */
  public @Nullable BulkLoad tryBulkLoad() {
    requireOpen();
    return engine.loads().tryBegin(this);
  }

  // ---- Maintenance.

  /** Writes what is in memory to disk components; see {@link Engine#flush}. */
  public void flush() {
    requireOpen();
    engine.flush(lsm);
  }

  /**
   * Freezes what is in memory, for background threads to write it to disk components; what is
   * written from now on goes to new memory.
   *
   * @return what to give {@link #awaitFlushed}
   */
  public long beginFlush() {
    requireOpen();
    return engine.beginFlush(lsm);
  }

  /**
   * Waits until everything that was written before a {@link #beginFlush} is in disk components.
   *
   * @param flush what that returned
   * @throws org.loam.common.error.StorageException if it failed; it is tried again in the
   *     background, and so may the wait be
   */
  public void awaitFlushed(long flush) {
    requireOpen();
    engine.awaitFlushed(lsm, flush);
  }

  /**
   * Merges the tree by options of its own from now on, whatever the engine's settings become; or by
   * those again. It takes effect at once, and is not kept: the next open knows nothing of it. An
   * {@code l0Stop} above what merges can read at once, with the buffers that were made for the
   * engine's {@code l0.stop} at open, counts as that.
   *
   * @param options null for the engine's settings
   */
  public void setMergeOptions(@Nullable MergeOptions options) {
    engine.underChanges(
        () -> {
          requireOpen();
          engine.kernel().change(lsm, options);
          engine.background().reconfigure();
        });
  }

  /** Flushes, and merges everything into the last level. */
  public void compact() {
    requireOpen();
    engine.compact(lsm);
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
    return "tree '" + lsm.name() + "'";
  }
}
