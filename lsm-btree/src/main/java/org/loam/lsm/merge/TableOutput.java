package org.loam.lsm.merge;

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
  private final List<SSTableMeta> finished = new ArrayList<>();
  private @Nullable SSTableWriter writer;
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
      finishTable(w);
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

  private void finishTable(SSTableWriter w) {
    SSTableMeta meta = w.finish();
    writer = null;
    finished.add(meta);
    finishedBytes += meta.sizeBytes();
  }

  /** Bytes of all tables so far. */
  long sizeBytes() {
    SSTableWriter w = writer;
    return finishedBytes + (w == null ? 0 : w.sizeBytes());
  }

  boolean needsForce() {
    SSTableWriter w = writer;
    return w != null && w.bytesSinceForce() >= settings.forceBytes();
  }

  void force() {
    SSTableWriter w = writer;
    if (w != null) {
      w.force();
    }
  }

  /** Completes the last table and opens all of them; files and names are durable. */
  List<LiveTable> finish() {
    SSTableWriter w = writer;
    if (w != null) {
      finishTable(w);
    }
    List<LiveTable> tables = new ArrayList<>();
    if (!finished.isEmpty()) {
      store.forceDirectory();
    }
    try {
      for (SSTableMeta meta : finished) {
        tables.add(store.open(meta));
      }
    } catch (RuntimeException e) {
      tables.forEach(store::close);
      throw e;
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
    for (SSTableMeta meta : finished) {
      quietly(() -> store.discard(meta));
    }
    finished.clear();
  }

  private static void quietly(Runnable deletion) {
    try {
      deletion.run();
    } catch (StorageException e) {
      LOGGER.warn("an abandoned SSTable stays behind until the next open: {}", e.getMessage());
    }
  }
}
