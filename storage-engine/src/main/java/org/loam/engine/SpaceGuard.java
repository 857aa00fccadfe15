package org.loam.engine;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.DiskFullException;

/**
 * Refuses writes while the file system is full, and lets them in again by itself when there is
 * room. Thread-safe; costs a volatile read while all is well.
 */
final class SpaceGuard {
  private final StorageEnv env;
  private final Path directory;
  private final long reserveBytes;
  private final Events events;

  /** Held while it changes, so that events tell the changes in their order. */
  private final Monitor changes;

  private @Nullable Runnable onRoom;
  private volatile boolean full;

  /**
   * @param directory on the file system in question
   * @param reserveBytes what must be free for writes to be let in again
   */
  SpaceGuard(StorageEnv env, Path directory, long reserveBytes, Events events) {
    this.events = events;
    this.changes = env.waiter().newMonitor("space guard");
    this.env = env;
    this.directory = directory;
    this.reserveBytes = reserveBytes;
  }

  /** Sets what to do when there is room again: background work starts over. */
  void onRoom(Runnable action) {
    onRoom = action;
  }

  /** Background work found the disk full. */
  void foundFull(DiskFullException cause) {
    changes.lock();
    try {
      if (!full) {
        full = true;
        events.diskFull(cause);
      }
    } finally {
      changes.unlock();
    }
  }

  private void foundRoom() {
    changes.lock();
    try {
      if (full) {
        full = false;
        events.diskHasRoom();
      }
    } finally {
      changes.unlock();
    }
  }

  /**
   * Lets a write pass.
   *
   * @throws DiskFullException with needed and free bytes
   */
  void requireRoom() {
    if (!full) {
      return;
    }
    long free = env.files().usableBytes(directory);
    if (free < reserveBytes) {
      throw new DiskFullException(
          directory
              + ": the file system is full: "
              + reserveBytes
              + " bytes needed, "
              + free
              + " bytes free; writes are refused until there is room",
          reserveBytes,
          free);
    }
    foundRoom();
    Runnable action = onRoom;
    if (action != null) {
      action.run();
    }
  }
}
