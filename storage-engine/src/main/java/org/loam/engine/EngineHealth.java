package org.loam.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What keeps an engine from its work, at about this moment. Immutable.
 *
 * @param fence why the engine takes no writes until it is opened again; null if it takes them
 * @param logFault why the log got no next segment at the last attempt; null if it got one. The next
 *     attempt begins when a file of the log gets free, when a write needs the segment, or when
 *     nothing has happened to the log for ten seconds
 * @param flushFault why flushes to a data directory fail, if none has succeeded there since and one
 *     is still to be done; null otherwise
 * @param mergeFault why the last merge failed, or the last one of a tree with damaged tables; null
 *     if it succeeded
 * @param disks the data directories, by number
 */
public record EngineHealth(
    @Nullable String fence,
    @Nullable String logFault,
    @Nullable String flushFault,
    @Nullable String mergeFault,
    List<Disk> disks) {
  /**
   * The file system of a data directory.
   *
   * @param freeBytes what the engine may still write to it; -1 if that is unknown
   * @param isFull whether writes are refused until it has room
   * @param fault why nothing is known of it, as where its device is gone; null otherwise
   */
  public record Disk(String directory, long freeBytes, boolean isFull, @Nullable String fault) {
    private boolean isSound() {
      return !isFull && fault == null;
    }
  }

  /** Whether nothing is wrong. */
  public boolean isSound() {
    return fence == null
        && logFault == null
        && flushFault == null
        && mergeFault == null
        && disks.stream().allMatch(Disk::isSound);
  }
}
