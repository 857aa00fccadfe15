package org.loam.cache.frame;

import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.cache.PageHeader;
import org.loam.cache.PageSource;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.FrameWords.Use;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;

/**
 * Brings one page into a frame: from disk, or from memory where its bytes are already. The page was
 * announced in {@link PendingReads} by the calling thread, and is pinned from when it has its frame
 * until it is shown. Thread-safe.
 */
final class PageReader {
  private static final int NONE = PageTable.NONE;

  private final Frames frames;
  private final FrameWords words;
  private final FrameSupply supply;
  private final PendingReads pending;
  private final CacheCounters counters;

  PageReader(
      Frames frames,
      FrameWords words,
      FrameSupply supply,
      PendingReads pending,
      CacheCounters counters) {
    this.frames = frames;
    this.words = words;
    this.supply = supply;
    this.pending = pending;
    this.counters = counters;
  }

  /**
   * Reads an announced page and ends its announcement, whatever comes of it.
   *
   * @param bytes where it was read to already, 0 if it was not
   * @return its frame, pinned
   */
  int load(PageSource source, int pageNo, ReadIntent intent, Use use, long bytes) {
    long pageId = PageTable.pageId(source.fileId(), pageNo);
    TrialQueue trial = supply.trial(pageId, use);
    int frame = NONE;
    boolean read = false;
    try {
      frame = supply.take(trial);
      words.hold(frame);
      counters.missed(intent, pageId);
      if (bytes == 0) {
        request(source, pageNo, intent, frames.address(frame));
      } else {
        Mem.copy(bytes, frames.address(frame), frames.pageBytes());
      }
      verify(source, pageNo, frames.address(frame));
      read = true;
    } finally {
      if (read) {
        pending.publish(frame, pageId, use, trial);
      } else {
        pending.withdraw(pageId);
        if (frame != NONE) {
          words.clear(frame);
          supply.give(frame);
        }
      }
    }
    return frame;
  }

  /** Lists a copy of an announced page; false if no frame is at hand: it stays announced then. */
  boolean copyIn(long pageId, long address, Use use) {
    TrialQueue trial = supply.trial(pageId, use);
    int frame = supply.takeNow(trial);
    if (frame == NONE) {
      return false;
    }
    words.hold(frame);
    Mem.copy(address, frames.address(frame), frames.pageBytes());
    pending.publish(frame, pageId, use, trial);
    supply.unpin(frame);
    return true;
  }

  private void request(PageSource source, int pageNo, ReadIntent intent, long address) {
    long began = counters.readBegins();
    try {
      source.file().read(frames.pageOffset(pageNo), address, frames.pageBytes());
    } catch (StorageIoException e) {
      throw new StorageIoException(
          "page " + pageNo + " of file id " + source.fileId() + ": " + e.getMessage(), e);
    } finally {
      counters.requested(intent.access(), began);
    }
  }

  /** Reads and verifies pages of a large value past the cache. */
  void readPast(PageSource source, int pageNo, int pages, long address) {
    long began = counters.readBegins();
    source.file().read(frames.pageOffset(pageNo), address, pages * frames.pageBytes());
    counters.missed(AccessClass.LARGE_VALUE, pages, began);
    for (int i = 0; i < pages; i++) {
      verify(source, pageNo + i, address + (long) i * frames.pageBytes());
    }
  }

  private void verify(PageSource source, int pageNo, long address) {
    try {
      PageHeader.verify(source, pageNo, address, frames.pageBytes());
    } catch (CorruptionException e) {
      counters.checksumFailed();
      throw e;
    }
  }
}
