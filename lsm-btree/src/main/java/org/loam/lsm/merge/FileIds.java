package org.loam.lsm.merge;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.util.Collection;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.ReserveIds;
import org.loam.lsm.manifest.ManifestState;

/**
 * The ids of SSTables, whatever directory they are in. Thread-safe.
 *
 * <p>They are reserved in the manifest in blocks before they are used, so the id of a file that a
 * crash orphaned is never given to another.
 */
public final class FileIds {
  private static final int RESERVED_IDS = 1024;

  private final Manifest manifest;
  private final Monitor lock;

  @GuardedBy("lock")
  private int nextFileId;

  @GuardedBy("lock")
  private int reservedFileIds;

  /**
   * @param directories all that there are files in
   */
  public FileIds(StorageEnv env, Manifest manifest, Collection<Path> directories) {
    this.manifest = manifest;
    this.lock = env.waiter().newMonitor("file ids");
    this.nextFileId = manifest.read(ManifestState::nextFileId);
    for (Path directory : directories) {
      nextFileId = Math.max(nextFileId, TableStore.firstFreeId(env.files(), directory));
    }
    this.reservedFileIds = Integer.MAX_VALUE;
  }

  /**
   * Ends recovery, during which ids are given out without being reserved, since no file that is
   * there has them: the change that reserves the first block, for the edit that ends recovery.
   */
  public ReserveIds reserveFirst() {
    lock.lock();
    try {
      reservedFileIds = Math.addExact(nextFileId, RESERVED_IDS);
      return new ReserveIds(reservedFileIds, 0);
    } finally {
      lock.unlock();
    }
  }

  /** A file id that was never used. */
  public int next() {
    lock.lock();
    try {
      if (nextFileId == reservedFileIds) {
        int reserved = Math.addExact(reservedFileIds, RESERVED_IDS);
        manifest.commit(ManifestEdit.of(new ReserveIds(reserved, 0)));
        reservedFileIds = reserved;
      }
      return nextFileId++;
    } finally {
      lock.unlock();
    }
  }
}
