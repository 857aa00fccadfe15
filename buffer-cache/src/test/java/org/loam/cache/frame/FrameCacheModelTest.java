package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.cache.frame.CacheFixture.PAGE_BYTES;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.cache.PagesFile;
import org.loam.cache.ReadIntent;

/** Random operations of one thread, against a map that says what must be cached. */
class FrameCacheModelTest {
  private static final int FILES = 4;
  private static final int PAGES = 24;

  /** A page that a reader has pinned. */
  private static final class Held {
    int fileId;
    int pageNo;
    long address;
    Cached cached;
  }

  /** A page in memory, while it can be found or is pinned. */
  private static final class Cached {
    int pins;
    boolean wanted;
    boolean purged;
  }

  /** No page is ever evicted here, so the model knows of each pin whether it hits. */
  @Test
  void aLargeCacheHoldsExactlyWhatTheModelSays() {
    for (long seed = 0; seed < 30; seed++) {
      run(seed, FILES * PAGES + 40, true);
    }
  }

  /** Here the model knows less: no page twice, no pinned page gone, bytes always right. */
  @Test
  void aSmallCacheNeverLosesAPinnedPage() {
    for (long seed = 100; seed < 130; seed++) {
      run(seed, 12, false);
    }
  }

  private static void run(long seed, int frames, boolean exact) {
    Random random = new Random(seed);
    try (CacheFixture f = new CacheFixture(frames, CacheFixture.READ_AHEAD_POOL_PAGES)) {
      int nextFileId = 1;
      List<PagesFile> files = new ArrayList<>();
      while (files.size() < FILES) {
        files.add(new PagesFile(nextFileId++, PAGE_BYTES, PAGES));
      }
      Map<Long, Cached> model = new HashMap<>();
      List<Held> held = new ArrayList<>();
      long asked = 0;
      for (int step = 0; step < 3000; step++) {
        int what = random.nextInt(100);
        if (what < 50 && held.size() < 10) {
          PagesFile file = files.get(random.nextInt(FILES));
          int pageNo = random.nextInt(random.nextBoolean() ? PAGES : 4);
          int last = Math.max(0, Math.min(PAGES - 1, pageNo + random.nextInt(15) - 7));
          asked += 1 + absentBeside(file, pageNo, last, model);
          held.add(pin(f, file, pageNo, last, model, random, exact, seed));
        } else if (what < 56) {
          admit(f, files.get(random.nextInt(FILES)), model, random, exact);
        } else if (what < 99 && !held.isEmpty()) {
          unpin(f, held.remove(random.nextInt(held.size())), model);
        } else if (what == 99) {
          purge(f, files.get(0), model);
          files.remove(0);
          files.add(new PagesFile(nextFileId++, PAGE_BYTES, PAGES));
        }
        assertThat(f.quota.usedPages()).isLessThanOrEqualTo(frames);
      }
      assertThat(f.cache.statistics().pinnedFrames())
          .isEqualTo((int) held.stream().map(h -> h.cached).distinct().count());
      held.forEach(h -> unpin(f, h, model));
      if (exact) {
        assertThat(f.counters.hits(AccessClass.QUERY) + f.counters.misses(AccessClass.QUERY))
            .as("seed %d", seed)
            .isEqualTo(asked);
      }
      assertThat(f.counters.evictions() == 0).isEqualTo(exact);
    }
  }

  private static void admit(
      CacheFixture f, PagesFile file, Map<Long, Cached> model, Random random, boolean exact) {
    int pageNo = random.nextInt(PAGES);
    f.admit(file, pageNo);
    bring(model, key(file.fileId(), pageNo), true, exact);
  }

  /** Brings a page, without a pin, if it is not there. */
  private static void bring(Map<Long, Cached> model, long key, boolean wanted, boolean exact) {
    boolean isThere = exact && model.containsKey(key);
    Cached brought = model.computeIfAbsent(key, absent -> new Cached());
    brought.wanted |= wanted && !isThere;
  }

  private static Held pin(
      CacheFixture f,
      PagesFile file,
      int pageNo,
      int last,
      Map<Long, Cached> model,
      Random random,
      boolean exact,
      long seed) {
    Held held = new Held();
    held.fileId = file.fileId();
    held.pageNo = pageNo;
    ReadIntent intent = ReadIntent.query(random.nextInt(3) > 0);
    int reads = file.reads(held.pageNo);
    held.address =
        pageNo == last ? f.pin(file, pageNo, intent) : f.pinStretch(file, pageNo, last, intent);
    boolean hit = file.reads(held.pageNo) == reads;
    Cached cached = model.get(key(held));
    String what = "seed " + seed + ", file " + held.fileId + ", page " + held.pageNo;
    if (exact) {
      assertThat(hit).as(what).isEqualTo(cached != null);
    } else if (cached == null) {
      assertThat(hit).as(what).isFalse();
    } else if (cached.pins > 0) {
      assertThat(hit).as(what).isTrue();
    } else if (!hit) {
      cached = null;
    }
    if (cached == null) {
      cached = new Cached();
      model.put(key(held), cached);
    }
    cached.pins++;
    cached.wanted |= intent.keeps();
    held.cached = cached;
    if (!hit) {
      for (int page = Math.min(pageNo, last); page <= Math.max(pageNo, last); page++) {
        bring(model, key(file.fileId(), page), intent.keeps(), exact);
      }
    }
    return held;
  }

  /** Pages that a stretch brings beside the first, if nothing is evicted. */
  private static int absentBeside(PagesFile file, int pageNo, int last, Map<Long, Cached> model) {
    int absent = 0;
    if (!model.containsKey(key(file.fileId(), pageNo))) {
      for (int page = Math.min(pageNo, last); page <= Math.max(pageNo, last); page++) {
        absent += page == pageNo || model.containsKey(key(file.fileId(), page)) ? 0 : 1;
      }
    }
    return absent;
  }

  private static void unpin(CacheFixture f, Held held, Map<Long, Cached> model) {
    PagesFile.check(held.address, PAGE_BYTES, held.fileId, held.pageNo);
    f.cache.unpin(held.address);
    Cached cached = held.cached;
    cached.pins--;
    if (cached.pins == 0 && !cached.wanted && !cached.purged) {
      model.remove(key(held));
    }
  }

  private static void purge(CacheFixture f, PagesFile file, Map<Long, Cached> model) {
    f.cache.purge(file.fileId(), PAGES);
    for (int pageNo = 0; pageNo < PAGES; pageNo++) {
      Cached cached = model.remove(key(file.fileId(), pageNo));
      if (cached != null) {
        cached.purged = true;
      }
    }
  }

  private static long key(Held held) {
    return key(held.fileId, held.pageNo);
  }

  private static long key(int fileId, int pageNo) {
    return (long) fileId << 32 | pageNo;
  }
}
