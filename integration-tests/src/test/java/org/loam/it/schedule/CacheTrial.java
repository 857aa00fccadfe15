package org.loam.it.schedule;

import org.loam.cache.CacheCounters;
import org.loam.cache.PageHeader;
import org.loam.cache.PageSource;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.CacheMemory;
import org.loam.cache.frame.FrameCache;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;

/** Readers of more pages than there are frames in a cache: each finds the page that it pinned. */
public final class CacheTrial extends ScheduleTrial {
  private static final int PAGES = 6;
  private static final int FRAMES = 3;
  private static final int PINS = 24;
  private static final int PAGE_BYTES = 4096;

  private record Source(int fileId, long salt, StorageFile file) implements PageSource {}

  /** To be run in instrumented code. */
  public CacheTrial() {
    super(CacheTrial::world);
  }

  static void world(Simulation sim) {
    try (PagePool pool = new PagePool(FRAMES, PAGE_BYTES);
        FixedMemory fixed = new FixedMemory(CacheMemory.fixedBytes(FRAMES, PAGE_BYTES));
        StorageFile file =
            sim.env().files().open(sim.directory().resolve("pages"), Mode.CREATE_BUFFERED)) {
      Source source = new Source(1, 0, file);
      write(source);
      CacheMemory memory = new CacheMemory(pool, pool.quota("cache", FRAMES), fixed);
      FrameCache cache = new FrameCache(memory, sim.env().waiter(), new CacheCounters());
      sim.run(() -> read(cache, source, 1), () -> read(cache, source, PAGES - 1));
      cache.close();
    }
  }

  private static void write(Source source) {
    long page = Mem.allocate(PAGE_BYTES, PAGE_BYTES, "page");
    Mem.fill(page, PAGE_BYTES, (byte) 0);
    for (int pageNo = 0; pageNo < PAGES; pageNo++) {
      PageHeader.start(page, 1);
      Mem.putInt(page + PageHeader.BYTES, pageNo);
      PageHeader.seal(page, PAGE_BYTES, source.fileId, pageNo, source.salt);
      source.file.write((long) pageNo * PAGE_BYTES, page, PAGE_BYTES);
    }
    Mem.free(page);
  }

  /** Pins one page after the other, each of them twice, in steps. */
  private static void read(FrameCache cache, Source source, int step) {
    for (int i = 0; i < PINS; i++) {
      int pageNo = i / 2 * step % PAGES;
      long page = cache.pin(source, pageNo, ReadIntent.QUERY);
      int found = Mem.getInt(page + PageHeader.BYTES);
      Check.that(found == pageNo, "page " + pageNo + " was pinned, page " + found + " is there");
      cache.unpin(page);
    }
  }
}
