package org.loam.asterix.index;

import java.nio.file.Path;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.jspecify.annotations.Nullable;
import org.loam.asterix.key.AdmBounds;
import org.loam.asterix.node.LoamNode;
import org.loam.common.error.StorageException;
import org.loam.engine.Tree;
import org.loam.engine.host.Found;
import org.loam.engine.host.HostCursor;
import org.loam.engine.host.HostLoad;
import org.loam.engine.host.HostScan;

/**
 * The tree of an index while AsterixDB has the index open, including writes of transactions that
 * may still be rolled back. Throws AsterixDB's exceptions. Thread-safe.
 */
final class IndexTree {
  private static final Found NOTHING = new Found(null, false);

  private final LoamNode loam;

  private final CleanTree<Tree> tree;
  private final WriterStall stall = new WriterStall(this::beginStall);

  /** Work that may fail in Loam. */
  private interface Work<T> {
    T run(Tree tree);
  }

  IndexTree(LoamNode loam) {
    this.loam = loam;
    this.tree = new CleanTree<>(loam.trees().clearing(), loam.trees()::recreate);
  }

  /**
   * Opens the tree.
   *
   * @param directory of the index, on the device that a new tree is made on
   * @param isNew whether the tree is to be empty
   */
  void open(FileReference directory, boolean isNew, LoamNode.OpenIndex index)
      throws HyracksDataException {
    try {
      FileReference device = new FileReference(directory.getDeviceHandle(), "");
      tree.show(
          loam.openTree(
              directory.getRelativePath(), Path.of(device.getAbsolutePath()), isNew, index));
    } catch (StorageException | IllegalArgumentException e) {
      throw HyracksDataException.create(e);
    }
  }

  void close() {
    Tree closed = tree.hide();
    if (closed != null) {
      stall.end();
      loam.closeTree(closed);
    }
  }

  /** A writer may go in, or has to wait for a flush. */
  void writerCame(boolean isInside) {
    if (isInside) {
      stall.end();
    } else {
      stall.begin();
    }
  }

  private @Nullable Runnable beginStall() {
    Tree open = tree.asIs();
    return open == null ? null : open.host().beginStall();
  }

  private Tree open() throws HyracksDataException {
    try {
      Tree open = tree.get();
      if (open == null) {
        throw new IllegalStateException("the index is closed");
      }
      return open;
    } catch (StorageException | IllegalArgumentException | IllegalStateException e) {
      throw HyracksDataException.create(e);
    }
  }

  private <T> T in(Work<T> work) throws HyracksDataException {
    Tree open = open();
    try {
      return work.run(open);
    } catch (StorageException | IllegalArgumentException e) {
      throw HyracksDataException.create(e);
    }
  }

  /** Does work that may fail in Loam. */
  void run(Runnable work) throws HyracksDataException {
    in(
        open -> {
          work.run();
          return open;
        });
  }

  // ---- Reading.

  /** For each key of a lookup, so without {@link #in}. */
  Found find(byte[] key) throws HyracksDataException {
    Tree open = open();
    if (key.length > loam.maxKeyBytes()) {
      // Searches may ask for what no record can have.
      return NOTHING;
    }
    try {
      return open.host().find(key);
    } catch (StorageException | IllegalArgumentException e) {
      throw HyracksDataException.create(e);
    }
  }

  HostCursor scan(HostScan range) throws HyracksDataException {
    HostScan within = range;
    byte[] from = range.from();
    if (from != null) {
      within = within.from(AdmBounds.within(loam.maxKeyBytes(), from));
    }
    byte[] to = range.to();
    if (to != null) {
      within = within.to(AdmBounds.within(loam.maxKeyBytes(), to));
    }
    HostScan scanned = within;
    return in(open -> open.host().scan(scanned));
  }

  /** Moves a cursor of this tree on; for each row, so without {@link #in}. */
  boolean next(HostCursor cursor) throws HyracksDataException {
    open();
    try {
      return cursor.next();
    } catch (StorageException | IllegalArgumentException e) {
      throw HyracksDataException.create(e);
    }
  }

  boolean isEmpty() throws HyracksDataException {
    try (HostCursor cursor = scan(HostScan.all().limit(1))) {
      return !next(cursor);
    }
  }

  // ---- Writing.

  /** Refuses a key that the tree cannot take, before the write is logged. */
  byte[] require(byte[] key) throws HyracksDataException {
    return require(key, "");
  }

  /**
   * Refuses a key that the tree cannot take.
   *
   * @param advice the end of the error
   */
  byte[] require(byte[] key, String advice) throws HyracksDataException {
    if (key.length > loam.maxKeyBytes()) {
      // As AsterixDB's own storage refuses a key.
      throw HyracksDataException.create(
          ErrorCode.RECORD_IS_TOO_LARGE,
          key.length + " bytes of key",
          loam.maxKeyBytes()
              + " bytes of key; a node whose first start has a larger page.size in"
              + " loam.settings takes longer keys"
              + advice);
    }
    return key;
  }

  /** Refuses a record for which there will never be memory, before the write is logged. */
  void requireFits(byte[] key, byte[] value) throws HyracksDataException {
    long bytes = (long) key.length + value.length;
    if (bytes > loam.largestRecordBytes()) {
      throw HyracksDataException.create(
          ErrorCode.RECORD_IS_TOO_LARGE,
          bytes + " bytes",
          loam.largestRecordBytes()
              + " bytes, for which loam.memory has room; a larger"
              + " loam.memory takes larger records");
    }
  }

  /**
   * Writes or deletes.
   *
   * @param value null to delete
   */
  void write(byte[] key, byte @Nullable [] value) throws HyracksDataException {
    in(
        open -> {
          if (value == null) {
            open.delete(key);
          } else {
            open.put(key, value);
          }
          return open;
        });
  }

  /** Takes back the newest write of a key; false if there is none. */
  boolean undo(byte[] key) throws HyracksDataException {
    return in(open -> open.host().undo(key));
  }

  /**
   * Does work that may write so many bytes, when there is memory for it. A writer that fails may
   * have been one that had to wait; if others still do, the next look of theirs is a new stall.
   */
  void writeLarge(long bytes, LoamNode.Work<HyracksDataException> work)
      throws HyracksDataException {
    boolean isDone = false;
    try {
      loam.writeLarge(bytes, stall::begin, work);
      isDone = true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw HyracksDataException.create(e);
    } catch (StorageException e) {
      throw HyracksDataException.create(e);
    } finally {
      if (!isDone) {
        stall.end();
      }
    }
  }

  // ---- Loading.

  /** The tree's load past write memory, if that is possible now; else null. */
  @Nullable HostLoad tryBulkLoad() throws HyracksDataException {
    Tree open = open();
    try {
      return open.host().tryBulkLoad();
    } catch (StorageException | IllegalArgumentException e) {
      throw HyracksDataException.create(e);
    }
  }

  /** Whether a failed load has left entries, which are to be removed. */
  boolean hasRest() {
    return tree.hasRest();
  }

  /** Removes the entries of a failed load: now, or before the next operation if that fails. */
  void clearRest() throws HyracksDataException {
    tree.leaveRest();
    open();
  }

  // ---- Maintenance.

  long beginFlush() throws HyracksDataException {
    // The tree has only the rest of a failed load, which need not get to disk.
    return hasRest() ? 0 : in(open -> open.host().beginFlush());
  }

  void awaitFlushed(long flush) throws HyracksDataException {
    if (!hasRest()) {
      in(
          open -> {
            open.host().awaitFlushed(flush);
            return open;
          });
    }
  }

  void flush() throws HyracksDataException {
    awaitFlushed(beginFlush());
  }

  void compact() throws HyracksDataException {
    in(
        open -> {
          open.compact();
          return open;
        });
  }

  /** Deletes everything. */
  void clear() throws HyracksDataException {
    tree.show(in(loam.trees()::recreate));
  }
}
