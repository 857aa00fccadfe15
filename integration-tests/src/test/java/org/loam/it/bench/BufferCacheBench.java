package org.loam.it.bench;

import java.util.SplittableRandom;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.cache.PageHeader;
import org.loam.cache.PageSource;
import org.loam.cache.ReadIntent;
import org.loam.cache.frame.CacheMemory;
import org.loam.cache.frame.FrameCache;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** A pin that hits and its unpin, of pages at random. */
public class BufferCacheBench extends HotPath {
  private static final int PAGE_BYTES = 4096;
  private static final int FRAMES = 1 << 14;
  private static final int ORDER = 1 << 12;

  /** Pages to choose from: those of an index, which all readers share, and those of all leaves. */
  @Param({"16", "16384"})
  public int pages;

  private final StorageEnv env = RealEnv.create();
  private final BenchDirectory directory = new BenchDirectory();
  private final PagePool pool = new PagePool(FRAMES, PAGE_BYTES);
  private final FixedMemory fixed = new FixedMemory(CacheMemory.fixedBytes(FRAMES, PAGE_BYTES));
  private FrameCache cache;
  private Pages source;

  /** A file as the cache sees it. */
  private record Pages(int fileId, long salt, StorageFile file) implements PageSource {}

  /** Which pages a thread pins, chosen before: choosing must not cost. */
  @State(Scope.Thread)
  public static class Reader {
    private final int[] order = new int[ORDER];
    private int at;

    /** Chooses. */
    @Setup
    public void choose(BufferCacheBench bench) {
      SplittableRandom random = new SplittableRandom(Thread.currentThread().getId());
      for (int i = 0; i < ORDER; i++) {
        order[i] = random.nextInt(bench.pages);
      }
    }

    int next() {
      return order[at++ & (ORDER - 1)];
    }
  }

  /** Writes the pages and reads each of them. */
  @Setup
  public void open() {
    CacheMemory memory = new CacheMemory(pool, pool.quota("cache", FRAMES), fixed);
    cache = new FrameCache(memory, env.waiter(), new CacheCounters());
    source = new Pages(1, 77, write());
    for (int pageNo = 0; pageNo < pages; pageNo++) {
      cache.unpin(cache.pin(source, pageNo, ReadIntent.QUERY));
    }
  }

  private StorageFile write() {
    StorageFile file =
        env.files().open(directory.path().resolve("pages"), StorageFiles.Mode.CREATE);
    long page = Mem.allocate(PAGE_BYTES, StorageFiles.ALIGNMENT);
    Mem.fill(page, PAGE_BYTES, (byte) 7);
    for (int pageNo = 0; pageNo < pages; pageNo++) {
      PageHeader.start(page, 1);
      PageHeader.seal(page, PAGE_BYTES, 1, pageNo, 77);
      file.write((long) pageNo * PAGE_BYTES, page, PAGE_BYTES);
    }
    Mem.free(page);
    return file;
  }

  /** Checks that nothing was read again, and frees all. */
  @TearDown
  public void close() {
    if (cache.statistics().misses().get(AccessClass.QUERY) != pages) {
      throw new AssertionError("pins that missed: " + cache.statistics());
    }
    cache.close();
    source.file().close();
    fixed.close();
    pool.close();
    directory.close();
  }

  /** One thread. */
  @Benchmark
  public long hit(Reader reader) {
    return pinAndUnpin(reader);
  }

  /** Two threads, as far as the machine lets them run side by side. */
  @Benchmark
  @Threads(2)
  public long hitByTwoThreads(Reader reader) {
    return pinAndUnpin(reader);
  }

  private long pinAndUnpin(Reader reader) {
    long address = cache.pin(source, reader.next(), ReadIntent.QUERY);
    cache.unpin(address);
    return address;
  }
}
