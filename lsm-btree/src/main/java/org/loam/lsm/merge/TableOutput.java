package org.loam.lsm.merge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.error.StorageException;
import org.loam.common.mem.Mem;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.disk.SSTableOptions;
import org.loam.lsm.disk.SSTableWriter;
import org.loam.lsm.disk.WriterMemory;
import org.loam.lsm.read.Entry;
import org.loam.lsm.version.LiveTable;

/**
 * Writes a sorted stream of entries as a sequence of SSTables, cut at guards and at a size, and
 * only between user keys. One thread at a time.
 *
 * <p>A table that is complete stays open until it is forced, and tables are forced together: the
 * first force makes the file system's journal durable, with what it says of all of them.
 */
final class TableOutput {
  private static final Logger LOGGER = LogManager.getLogger(TableOutput.class);

  private final TableStore store;
  private final TableSettings settings;
  private final WriterMemory memory;
  private final boolean keepLsns;
  private final boolean isLowest;
  private final List<byte[]> guards;
  private int nextGuard;

  /** A table that is written, and still open. */
  private record Complete(SSTableWriter writer, SSTableMeta meta) {}

  /** In the order of their keys, as the forced ones before them. */
  private final ArrayDeque<Complete> unforced = new ArrayDeque<>();

  private final List<SSTableMeta> forced = new ArrayList<>();
  private @Nullable SSTableWriter writer;
  private long unforcedBytes;
  private long finishedBytes;

  /**
   * @param isLowest whether no older table has keys between those of the stream
   * @param guards keys that begin a table of their own, in order
   */
  TableOutput(
      TableStore store,
      TableSettings settings,
      WriterMemory memory,
      boolean keepLsns,
      boolean isLowest,
      List<byte[]> guards) {
    this.guards = guards;
    this.store = store;
    this.settings = settings;
    this.memory = memory;
    this.keepLsns = keepLsns;
    this.isLowest = isLowest;
  }

  /**
   * Adds an entry.
   *
   * @param newKey whether the key is not that of the entry before
   */
  void add(Entry entry, boolean newKey) {
    SSTableWriter w = writer;
    if (newKey && (passesGuard(entry) || isFull(w)) && w != null) {
      complete(w);
      w = null;
    }
    if (w == null) {
      w = newWriter();
    }
    w.add(entry);
  }

  private boolean passesGuard(Entry entry) {
    int before = nextGuard;
    while (nextGuard < guards.size() && isAtOrAfter(entry, guards.get(nextGuard))) {
      nextGuard++;
    }
    return nextGuard > before;
  }

  private static boolean isAtOrAfter(Entry entry, byte[] key) {
    return Mem.compare(key, 0, key.length, entry.keyAddress(), entry.keyLength()) <= 0;
  }

  private boolean isFull(@Nullable SSTableWriter w) {
    return w != null && (w.full() || w.sizeBytes() >= settings.tableBytes());
  }

  private SSTableWriter newWriter() {
    int fileId = store.newFileId();
    SSTableOptions options =
        new SSTableOptions(
            fileId,
            store.newSalt(),
            settings.pageBytes(),
            keepLsns,
            settings.filterBitsPerKey(isLowest));
    SSTableWriter created =
        SSTableWriter.create(store.files(), store.path(fileId), options, memory, store.cache());
    writer = created;
    return created;
  }

  private void complete(SSTableWriter w) {
    SSTableMeta meta = w.complete();
    writer = null;
    unforced.add(new Complete(w, meta));
    unforcedBytes += w.bytesSinceForce();
    finishedBytes += meta.sizeBytes();
  }

  /** Bytes of all tables so far. */
  long sizeBytes() {
    SSTableWriter w = writer;
    return finishedBytes + (w == null ? 0 : w.sizeBytes());
  }

  /** Bytes that were written and not forced. */
  long unforcedBytes() {
    SSTableWriter w = writer;
    return unforcedBytes + (w == null ? 0 : w.bytesSinceForce());
  }

  boolean needsForce() {
    return unforcedBytes() >= settings.forceBytes();
  }

  /** Makes durable what was written so far; not the names of the files. */
  void force() {
    SSTableWriter w = writer;
    if (w != null) {
      w.force();
    }
    for (Complete next = unforced.peek(); next != null; next = unforced.peek()) {
      next.writer().forceComplete();
      unforced.remove();
      forced.add(next.meta());
    }
    unforcedBytes = 0;
  }

  /** Completes the last table: no entry follows, and the buffers are free. */
  void complete() {
    SSTableWriter w = writer;
    if (w != null) {
      complete(w);
    }
  }

  /** Whether there is no table. */
  boolean isEmpty() {
    return forced.isEmpty() && unforced.isEmpty();
  }

  /** Completes the last table and opens all of them; files and names are durable. */
  List<LiveTable> finish() {
    complete();
    force();
    if (!isEmpty()) {
      store.forceDirectory();
    }
    return open();
  }

  /** Opens all tables, which are durable by name and content. */
  List<LiveTable> open() {
    List<LiveTable> tables = new ArrayList<>();
    try {
      for (SSTableMeta meta : forced) {
        tables.add(store.open(meta));
      }
    } catch (Throwable t) {
      tables.forEach(store::close);
      throw t;
    }
    return tables;
  }

  /**
   * Removes what was written; the files are not installed and never will be. One that cannot be
   * deleted now is an orphan, which the next open deletes.
   */
  void abandon() {
    SSTableWriter w = writer;
    if (w != null) {
      writer = null;
      quietly(w::abandon);
    }
    for (Complete table : unforced) {
      quietly(table.writer()::abandon);
    }
    unforced.clear();
    for (SSTableMeta meta : forced) {
      quietly(() -> store.discard(meta));
    }
    forced.clear();
  }

  private static void quietly(Runnable deletion) {
    try {
      deletion.run();
    } catch (StorageException e) {
      LOGGER.warn("an abandoned SSTable stays behind until the next open: {}", e.getMessage());
    }
  }
}
