package org.loam.cache.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.cache.frame.CacheFixture.PAGE_BYTES;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.cache.CacheCounters;
import org.loam.cache.ChunkReader;
import org.loam.cache.PageSource;
import org.loam.cache.PagesFile;
import org.loam.cache.ReadIntent;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.FixedMemory;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;

/**
 * Threads under a seeded baton, switching at each read and wait; a disk that fails now and then.
 */
class FrameCacheSimulationTest {
  private static final int PAGES = 12;
  private static final int STEPS = 60;

  /** Enough for a few buffers to read ahead. */
  private static final int POOL_PAGES = CacheFixture.READ_AHEAD_POOL_PAGES;

  private record Source(int fileId, long salt, StorageFile file) implements PageSource {}

  /** What one run did, to be compared with its repetition. */
  private record Outcome(long traceHash, List<Integer> failures, long misses, long evictions) {}

  @Test
  void readersSeeTheirPagesAndFaultsWhateverTheSchedule() {
    long failed = 0;
    for (long seed = 0; seed < 60; seed++) {
      Outcome outcome = run(seed);
      failed += outcome.failures.stream().mapToInt(Integer::intValue).sum();
      if (seed % 10 == 0) {
        assertThat(run(seed)).as("seed %d run again", seed).isEqualTo(outcome);
      }
    }
    assertThat(failed).isPositive();
  }

  private static Outcome run(long seed) {
    Random random = new Random(seed);
    int clients = 2 + random.nextInt(3);
    int frames = 2 * clients + random.nextInt(12);
    CacheCounters counters = new CacheCounters();
    List<Integer> failures = new ArrayList<>();
    try (Simulation sim = Simulation.seeded(seed);
        PagePool pool = new PagePool(POOL_PAGES, PAGE_BYTES);
        FixedMemory fixed = new FixedMemory(CacheMemory.fixedBytes(POOL_PAGES, PAGE_BYTES))) {
      StorageEnv env = sim.env();
      List<Source> sources = new ArrayList<>();
      for (int fileId = 1; fileId <= 3; fileId++) {
        sources.add(write(env, sim.directory(), fileId));
      }
      CacheMemory memory = new CacheMemory(pool, pool.quota("cache", frames), fixed);
      FrameCache cache = new FrameCache(memory, env.waiter(), counters);
      sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.READ).oneIn(20));
      Runnable[] bodies = new Runnable[clients];
      for (int i = 0; i < clients; i++) {
        Random own = new Random(31 * seed + i);
        bodies[i] = () -> failures.add(read(cache, sources, own));
      }
      assertThat(sim.run(bodies)).isTrue();
      assertThat(cache.statistics().pinnedFrames()).isZero();
      checkCountsAndChunks(sim, sources, counters);
      cache.close();
      return new Outcome(
          sim.traceHash(), failures, counters.misses(AccessClass.QUERY), counters.evictions());
    }
  }

  /** Returns how many pins failed. */
  private static int read(FrameCache cache, List<Source> sources, Random random) {
    int failed = 0;
    for (int step = 0; step < STEPS; step++) {
      Source one = sources.get(random.nextInt(sources.size()));
      Source two = sources.get(random.nextInt(sources.size()));
      int pageOne = random.nextInt(random.nextBoolean() ? PAGES : 2);
      int pageTwo = random.nextInt(PAGES);
      long first = 0;
      long second = 0;
      if (random.nextInt(4) == 0) {
        int last = random.nextInt(PAGES);
        cache.readAhead(two, random.nextInt(PAGES), last, ReadIntent.QUERY);
      }
      try {
        first = cache.pin(one, pageOne, ReadIntent.query(random.nextInt(4) > 0));
        second =
            random.nextBoolean()
                ? cache.pin(two, pageTwo, ReadIntent.query(random.nextInt(4) > 0))
                : cache.pinStretch(
                    two, pageTwo, random.nextInt(PAGES), ReadIntent.query(random.nextInt(4) > 0));
      } catch (StorageIoException e) {
        failed++;
      }
      if (first != 0) {
        PagesFile.check(first, PAGE_BYTES, one.fileId, pageOne);
        cache.unpin(first);
      }
      if (second != 0) {
        PagesFile.check(second, PAGE_BYTES, two.fileId, pageTwo);
        cache.unpin(second);
      }
    }
    return failed;
  }

  private static void checkCountsAndChunks(
      Simulation sim, List<Source> sources, CacheCounters counters) {
    assertThat(counters.checksumFailures()).isZero();
    sim.faults().clear();
    int bufferBytes = ChunkReader.MIN_CHUNK_BYTES;
    long buffer = Mem.allocate(bufferBytes, PAGE_BYTES);
    ChunkReader reader = new ChunkReader(sources.get(0), PAGE_BYTES, buffer, bufferBytes, counters);
    for (Source source : sources) {
      reader.open(source, 0, PAGES);
      for (long page = reader.next(); page != 0; page = reader.next()) {
        PagesFile.check(page, PAGE_BYTES, source.fileId, reader.pageNo());
      }
    }
    assertThat(counters.misses(AccessClass.MERGE)).isEqualTo((long) sources.size() * PAGES);
    Mem.free(buffer);
  }

  private static Source write(StorageEnv env, Path directory, int fileId) {
    PagesFile pages = new PagesFile(fileId, PAGE_BYTES, PAGES);
    StorageFile file =
        env.files().open(directory.resolve("pages-" + fileId), StorageFiles.Mode.CREATE);
    long buffer = Mem.allocate(PAGES * PAGE_BYTES, PAGE_BYTES);
    pages.read(0, buffer, PAGES * PAGE_BYTES);
    file.write(0, buffer, PAGES * PAGE_BYTES);
    Mem.free(buffer);
    return new Source(fileId, pages.salt(), file);
  }
}
