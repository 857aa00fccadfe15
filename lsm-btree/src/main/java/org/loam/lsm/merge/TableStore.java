package org.loam.lsm.merge;

import java.nio.file.Path;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.cache.BufferCache;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageException;
import org.loam.common.mem.Epochs;
import org.loam.lsm.disk.SSTable;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.ReserveIds;
import org.loam.lsm.manifest.ManifestState;
import org.loam.lsm.version.LiveTable;

/**
 * The files of SSTables: their names, their ids, opening and disposal. Thread-safe.
 *
 * <p>Ids are reserved in the manifest in blocks before they are used, so the id of a file that a
 * crash orphaned is never given to another.
 */
public final class TableStore {
  private static final Logger LOGGER = LogManager.getLogger(TableStore.class);
  private static final String SUFFIX = ".sst";
  private static final int RESERVED_IDS = 1024;

  private final StorageEnv env;
  private final Path directory;
  private final BufferCache cache;
  private final Epochs fileEpochs;
  private final Manifest manifest;
  private final Monitor idLock;
  private int nextFileId;
  private int reservedFileIds;

  /**
   * @param directory of the files; must exist
   * @param fileEpochs readers of tables are inside
   */
  public TableStore(
      StorageEnv env, Path directory, BufferCache cache, Epochs fileEpochs, Manifest manifest) {
    this.env = env;
    this.directory = directory;
    this.cache = cache;
    this.fileEpochs = fileEpochs;
    this.manifest = manifest;
    this.idLock = env.waiter().newMonitor("file ids");
    this.nextFileId = Math.max(manifest.read(ManifestState::nextFileId), firstFreeId());
    this.reservedFileIds = Integer.MAX_VALUE;
  }

  /** One more than the largest id of a file that is there, orphan or not. */
  private int firstFreeId() {
    int free = 1;
    for (String name : env.files().list(directory)) {
      if (name.matches("[0-9]{8,10}\\" + SUFFIX)) {
        long id = Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
        free = Math.toIntExact(Math.max(free, 1 + id));
      }
    }
    return free;
  }

  /**
   * Ends recovery, during which ids are given out without being reserved, since no file that is
   * there has them: the change that reserves the first block, for the edit that ends recovery.
   */
  public ReserveIds reserveFirst() {
    idLock.lock();
    try {
      reservedFileIds = Math.addExact(nextFileId, RESERVED_IDS);
      return new ReserveIds(reservedFileIds, 0);
    } finally {
      idLock.unlock();
    }
  }

  /** A file id that was never used. */
  public int newFileId() {
    idLock.lock();
    try {
      if (nextFileId == reservedFileIds) {
        int reserved = Math.addExact(reservedFileIds, RESERVED_IDS);
        manifest.commit(ManifestEdit.of(new ReserveIds(reserved, 0)));
        reservedFileIds = reserved;
      }
      return nextFileId++;
    } finally {
      idLock.unlock();
    }
  }

  /** A random number for the checksums of a new file. */
  public long newSalt() {
    return env.random().nextLong();
  }

  /** Where a table's file is. */
  public Path path(int fileId) {
    return directory.resolve(SSTableMeta.fileName(fileId));
  }

  public StorageFiles files() {
    return env.files();
  }

  BufferCache cache() {
    return cache;
  }

  /** Makes the names of new files durable. */
  public void forceDirectory() {
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
    StorageFile file = env.files().open(path, StorageFiles.Mode.READ);
    try {
      return new LiveTable(SSTable.open(meta, file, cache));
    } catch (RuntimeException e) {
      file.close();
      throw e;
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

  /** Closes a table that nobody can be reading. */
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
   * Deletes the files of tables that the manifest does not name: leftovers of a crash. One that
   * cannot be deleted stays until the next open.
   *
   * @return how many were deleted
   */
  public int deleteOrphans() {
    var named =
        manifest.read(
            state ->
                state.trees().stream()
                    .flatMap(tree -> tree.components().stream())
                    .map(c -> c.meta().fileName())
                    .collect(java.util.stream.Collectors.toSet()));
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
