package org.loam.engine.commit;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageException;
import org.loam.engine.notify.Events;

/**
 * Refuses writes while the file system of a data directory is full, and lets them in again by
 * itself when there is room. All writes, whatever tree they are to: they share log and write
 * memory, which cannot be given back. Thread-safe; costs a volatile read while all is well.
 */
public final class SpaceGuard {
  private final StorageEnv env;
  private final Collection<Path> directories;
  private final LongSupplier reserve;
  private final Events events;

  /** Held while it changes, so that events tell the changes in their order. */
  private final Monitor changes;

  private @Nullable Runnable onRoom;

  /**
   * Those that have to have room before writes are let in; none while all is well. Another list
   * each time that the disk is found full. Written under the monitor.
   */
  private volatile List<Path> full = List.of();

  /**
   * @param directories on the file systems in question
   * @param reserve bytes that must be free for writes to be let in again
   */
  public SpaceGuard(
      StorageEnv env, Collection<Path> directories, LongSupplier reserve, Events events) {
    this.events = events;
    this.changes = env.waiter().newMonitor("space guard");
    this.env = env;
    this.directories = directories;
    this.reserve = reserve;
  }

  /** Sets what to do when there is room again: background work starts over. */
  public void onRoom(Runnable action) {
    onRoom = action;
  }

  /** Background work found the disk full. */
  public void foundFull(DiskFullException cause) {
    changes.lock();
    try {
      boolean before = full.isEmpty();
      // The full one is among those that lack room, unless files were deleted meanwhile.
      List<Path> lacking = directories.stream().filter(this::lacksRoom).toList();
      full = lacking.isEmpty() ? directories.stream().toList() : lacking;
      if (before) {
        events.diskFull(cause);
      }
    } finally {
      changes.unlock();
    }
  }

  /** The directories that have to have room before writes are taken; none while all is well. */
  public List<Path> full() {
    return full;
  }

  /** One that does not tell may be the full one; the next write finds out. */
  private boolean lacksRoom(Path directory) {
    try {
      return env.files().usableBytes(directory) < reserve.getAsLong();
    } catch (StorageException e) {
      return true;
    }
  }

  /**
   * Suspects were seen to have room.
   *
   * @return false if another writer has seen that before, or the disk was found full again since
   *     they were the suspects: what was seen says nothing of that
   */
  private boolean foundRoom(List<Path> suspects) {
    changes.lock();
    try {
      if (full != suspects) {
        return false;
      }
      full = List.of();
      events.diskHasRoom();
      return true;
    } finally {
      changes.unlock();
    }
  }

  /**
   * Lets a write pass.
   *
   * @throws DiskFullException with needed and free bytes
   * @throws StorageException if a file system does not tell what is free
   */
  public void requireRoom() {
    List<Path> suspects = full;
    if (suspects.isEmpty()) {
      return;
    }
    long reserveBytes = reserve.getAsLong();
    for (Path directory : suspects) {
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
    }
    Runnable action = onRoom;
    if (foundRoom(suspects) && action != null) {
      action.run();
    }
  }
}
