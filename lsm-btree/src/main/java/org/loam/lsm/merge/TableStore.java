package org.loam.lsm.merge;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.cache.BufferCache;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageException;
import org.loam.common.mem.Epochs;
import org.loam.lsm.disk.SSTable;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.version.LiveTable;

/** The files of the SSTables in one data directory. Thread-safe. */
public final class TableStore {
  private static final Logger LOGGER = LogManager.getLogger(TableStore.class);
  private static final String SUFFIX = ".sst";

  private final StorageEnv env;
  private final int number;
  private final Path directory;
  private final BufferCache cache;
  private final Epochs fileEpochs;
  private final IntSupplier ids;

  /**
   * @param number of the directory in its database
   * @param directory of the files; must exist
   * @param fileEpochs readers of tables are inside
   * @param ids gives an id that no file of the database ever had
   */
  public TableStore(
      StorageEnv env,
      int number,
      Path directory,
      BufferCache cache,
      Epochs fileEpochs,
      IntSupplier ids) {
    this.env = env;
    this.number = number;
    this.directory = directory;
    this.cache = cache;
    this.fileEpochs = fileEpochs;
    this.ids = ids;
  }

  /** One more than the largest id of a file that is there, orphan or not. */
  static int firstFreeId(StorageFiles files, Path directory) {
    int free = 1;
    for (String name : files.list(directory)) {
      if (name.matches("[0-9]{8,10}\\" + SUFFIX)) {
        long id = Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
        free = Math.toIntExact(Math.max(free, 1 + id));
      }
    }
    return free;
  }

  /** The number of the directory in its database. */
  public int number() {
    return number;
  }

  /** A file id that was never used. */
  int newFileId() {
    return ids.getAsInt();
  }

  /** A random number for the checksums of a new file. */
  long newSalt() {
    return env.random().nextLong();
  }

  /** Where a table's file is. */
  public Path path(int fileId) {
    return directory.resolve(SSTableMeta.fileName(fileId));
  }

  StorageFiles files() {
    return env.files();
  }

  BufferCache cache() {
    return cache;
  }

  /** Makes the names of new files durable. */
  void forceDirectory() {
    env.files().forceDirectory(directory);
  }

  /**
   * Opens a table for reading.
   *
   * @throws CorruptionException if it is missing or not the file that the manifest means
   */
  public LiveTable open(SSTableMeta meta) {
    Path path = path(meta.fileId());
    if (!env.files().exists(path)) {
      throw new CorruptionException(
          path + " is missing although the manifest names it; restore it from a backup");
    }
    StorageFile file = env.files().open(path, StorageFiles.Mode.READ_PAGES);
    try {
      return new LiveTable(SSTable.open(meta, file, cache));
    } catch (Throwable t) {
      file.close();
      throw t;
    }
  }

  /** Closes tables that no version names any more as soon as no reader is inside. */
  public void retire(List<LiveTable> tables, boolean deleteFiles) {
    for (LiveTable table : tables) {
      fileEpochs.retire(() -> dispose(table, deleteFiles));
    }
    fileEpochs.collect();
  }

  private void dispose(LiveTable table, boolean deleteFile) {
    try {
      close(table);
      if (deleteFile) {
        env.files().delete(path(table.fileId()));
      }
    } catch (StorageException e) {
      LOGGER.warn("an unused SSTable stays behind until the next open: {}", e.getMessage());
    }
  }

  /** Closes a table that no thread can be reading. */
  public void close(LiveTable table) {
    purge(table.table().meta());
    table.table().close();
  }

  /** Deletes the file of a table that is not open and never will be. */
  void discard(SSTableMeta meta) {
    purge(meta);
    env.files().delete(path(meta.fileId()));
  }

  private void purge(SSTableMeta meta) {
    cache.purge(meta.fileId(), (int) (meta.sizeBytes() / cache.pageBytes()));
  }

  /** Like {@link #close}; a fault is only logged, since nothing is lost by it. */
  public void closeQuietly(LiveTable table) {
    try {
      close(table);
    } catch (StorageException e) {
      LOGGER.warn("cannot close an SSTable: {}", e.getMessage());
    }
  }

  /**
   * Deletes the files of tables that the manifest does not name in this directory: leftovers of a
   * crash. One that cannot be deleted stays until the next open.
   *
   * @param named names of the files that it names here
   * @return how many were deleted
   */
  public int deleteOrphans(Set<String> named) {
    int deleted = 0;
    for (String name : env.files().list(directory)) {
      if (name.endsWith(SUFFIX) && !named.contains(name)) {
        try {
          env.files().delete(directory.resolve(name));
          deleted++;
        } catch (StorageException e) {
          LOGGER.warn("an orphan stays behind until the next open: {}", e.getMessage());
        }
      }
    }
    return deleted;
  }
}
