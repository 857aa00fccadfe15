package org.loam.lsm.disk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.loam.cache.BufferCache;
import org.loam.cache.PageHeader;
import org.loam.cache.PageSource;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.Mem;

/**
 * A cache that keeps nothing: each pin reads and verifies, so that damage shows at once. Poisoned
 * memory lies around each frame as far as an offset in a page can reach, so that the checked mode
 * sees every access past a page.
 */
class UncachedPages implements BufferCache, AutoCloseable {
  private static final int GUARD_BYTES = 1 << 16;

  private final int pageBytes;
  private final ArrayDeque<Long> free = new ArrayDeque<>();
  private final List<Long> pinned = new ArrayList<>();

  UncachedPages(int pageBytes) {
    this.pageBytes = pageBytes;
  }

  @Override
  public int pageBytes() {
    return pageBytes;
  }

  @Override
  public long pin(PageSource source, int pageNo, ReadIntent intent) {
    long frame = free.isEmpty() ? newFrame() : free.pop();
    try {
      source.file().read((long) pageNo * pageBytes, frame, pageBytes);
      PageHeader.verify(source, pageNo, frame, pageBytes);
    } catch (RuntimeException e) {
      free.push(frame);
      throw e;
    }
    pinned.add(frame);
    return frame;
  }

  private long newFrame() {
    long memory = Mem.allocate(pageBytes + 2 * GUARD_BYTES, 64);
    Mem.poison(memory, GUARD_BYTES);
    Mem.poison(memory + GUARD_BYTES + pageBytes, GUARD_BYTES);
    return memory + GUARD_BYTES;
  }

  @Override
  public void unpin(long address) {
    if (!pinned.remove(address)) {
      throw new AssertionError("not pinned");
    }
    free.push(address);
  }

  int pinnedPages() {
    return pinned.size();
  }

  @Override
  public void purge(int fileId, int pageCount) {}

  @Override
  public void close() {
    free.forEach(frame -> Mem.free(frame - GUARD_BYTES));
  }
}
