package org.loam.log;

import java.nio.file.Path;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.common.env.StorageFile;
import org.loam.common.error.StorageException;

/**
 * The work of the preparing thread: it makes segments out of free or new files ahead of the
 * appends, and deletes the files that the log does not keep. Everything slow is done here, outside
 * of every lock. Used by one thread at a time.
 */
final class SegmentPreparer implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(SegmentPreparer.class);

  private final SegmentFiles files;
  private final SegmentSlots slots;
  private final LogFence fence;

  SegmentPreparer(SegmentFiles files, SegmentSlots slots, LogFence fence) {
    this.files = files;
    this.slots = slots;
    this.fence = fence;
  }

  /** Keeps segments ready until {@link SegmentSlots#stop} or a fence. */
  void run() {
    try {
      SegmentSlots.Work work = slots.awaitWork();
      while (work != null) {
        perform(work);
        work = slots.awaitWork();
      }
    } catch (Throwable t) {
      fence.raise(t);
      slots.wake();
      throw t;
    }
  }

  private void perform(SegmentSlots.Work work) {
    Path surplus = work.surplus();
    if (surplus != null) {
      delete(surplus);
      return;
    }
    // Once for each kind of fault, however many attempts fail with it.
    StorageException known = slots.fault();
    try {
      slots.addReady(prepareOne());
      if (known != null) {
        LOGGER.warn("there is a new log segment again");
      }
    } catch (StorageException e) {
      if (known == null || known.getClass() != e.getClass()) {
        LOGGER.warn("no new log segment: {}", e.getMessage());
      }
    }
  }

  /**
   * Makes one segment of a free file, or else of a new one.
   *
   * @throws StorageException if that failed; writers that wait for room get it, too
   */
  LogSegment prepareOne() {
    SegmentPlace place = slots.beginAttempt();
    StorageException fault = null;
    try {
      return prepare(place);
    } catch (StorageException e) {
      fault = e;
      throw e;
    } finally {
      slots.endAttempt(fault);
    }
  }

  private LogSegment prepare(SegmentPlace place) {
    FreeSlots.Slot reused = place.reused();
    if (reused == null) {
      return files.create(place.slot(), place.link());
    }
    StorageFile file = open(reused);
    try {
      return files.recycle(file, place.slot(), place.link(), reused.found());
    } catch (StorageException e) {
      // Its header is in an unknown state, and a failed force must not be repeated.
      delete(reused.path());
      throw e;
    }
  }

  /** For lack of file descriptors this may fail with each file: it stays as it is then. */
  private StorageFile open(FreeSlots.Slot reused) {
    try {
      return files.openFree(reused.number());
    } catch (StorageException e) {
      slots.putBack(reused);
      throw e;
    }
  }

  /** Deletes the files of which no segment can be made. */
  void deleteUnwanted() {
    List<Path> unwanted = slots.takeUnwanted();
    unwanted.forEach(this::delete);
  }

  private void delete(Path path) {
    try {
      files.delete(path);
    } catch (StorageException e) {
      // It only costs space; the next start of the log finds it again.
      LOGGER.warn("left behind: {}", e.getMessage());
    }
  }

  /** Releases the memory of its file operations; after the preparing thread has ended. */
  @Override
  public void close() {
    files.close();
  }
}
