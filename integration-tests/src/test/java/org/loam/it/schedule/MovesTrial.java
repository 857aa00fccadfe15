package org.loam.it.schedule;

import java.util.ArrayDeque;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;
import org.loam.engine.background.MemoryMoves;
import org.loam.engine.memory.MemoryArbiter;

/**
 * Memory moves from one side to the other while a writer, a flush and readers use both. Write
 * memory never counts on a page that the cache still has, and a writer below the threshold always
 * finds a page. Half of the schedules make write memory larger, half smaller. When that is done
 * trees are told.
 */
public final class MovesTrial extends ScheduleTrial {
  private static final int PAGE_BYTES = 4096;
  private static final int WRITE_PAGES = 32;
  private static final int CACHE_PAGES = MemoryArbiter.MIN_CACHE_PAGES + 8;
  private static final int USED_PAGES = 20;
  private static final int LEAST_PAGES = 16;
  private static final int PATIENCE = 1000;
  private static final long LOOK_NANOS = 1_000_000;

  /** To be run in instrumented code. */
  public MovesTrial() {
    super(MovesTrial::world);
  }

  static void world(Simulation sim) {
    Life life = new Life(sim);
    undisturbed(life::begin);
    int target = coin(sim, 0) ? WRITE_PAGES + 4 : LEAST_PAGES;
    sim.run(() -> life.move(target), life::write, life::read);
    sim.run(life.moves::close);
    undisturbed(() -> life.end(target));
  }

  private static final class Life implements MemoryMoves.WriteSide {
    private final Simulation sim;
    private final PagePool pool = new PagePool(WRITE_PAGES + CACHE_PAGES, PAGE_BYTES);
    private final PagePool.Quota write = pool.quota("write memory", WRITE_PAGES);
    private final PagePool.Quota cache = pool.quota("buffer cache", CACHE_PAGES);
    private final MemoryArbiter arbiter =
        new MemoryArbiter(pool, write, cache, this::evict, LEAST_PAGES);
    private final ArrayDeque<Long> written = new ArrayDeque<>();
    private final ArrayDeque<Long> cached = new ArrayDeque<>();
    private final MemoryMoves moves;
    private boolean pinned = true;

    /** Pages of write memory when trees were told last that it had moved. */
    private volatile int toldPages;

    Life(Simulation sim) {
      this.sim = sim;
      this.moves = new MemoryMoves(sim.env(), arbiter, () -> 0, () -> true, this);
    }

    @Override
    public boolean canFlush() {
      return true;
    }

    /** The writer does it. */
    @Override
    public void relieve() {}

    @Override
    public void awaitFreed(long nanos) {
      sim.env().waiter().pause(nanos);
    }

    @Override
    public void moved() {
      toldPages = arbiter.own();
    }

    void begin() {
      arbiter.flushesAt(.75);
      for (int i = 0; i < USED_PAGES; i++) {
        put();
      }
      fill();
    }

    void move(int target) {
      moves.setTarget((long) (WRITE_PAGES + target) / 2 * PAGE_BYTES, () -> true);
      moves.setTarget((long) target * PAGE_BYTES, () -> true);
      for (int i = 0; write.targetPages() != target || toldPages != target; i++) {
        Check.that(
            i < PATIENCE,
            "write memory has "
                + arbiter.own()
                + " pages, and stays so; trees were told of "
                + toldPages);
        sim.env().waiter().pause(LOOK_NANOS);
      }
    }

    private void put() {
      long page = write.allocate();
      Check.that(page != 0, "no page for a writer that is below the threshold");
      written.add(page);
    }

    private void flush(int pages) {
      for (int i = 0; i < pages; i++) {
        write.free(written.remove());
      }
      arbiter.settle();
    }

    void write() {
      for (int i = 0; i < 2; i++) {
        int own = arbiter.own();
        // Of a smaller write memory the one may be older than the other.
        Check.that(
            own <= WRITE_PAGES || own <= write.targetPages(),
            "write memory counts on pages that the cache still has");
        put();
        flush(1);
      }
      flush(USED_PAGES - LEAST_PAGES / 2);
    }

    void read() {
      fill();
      unpin();
      fill();
    }

    private synchronized void fill() {
      for (long page = cache.allocate(); page != 0; page = cache.allocate()) {
        cached.add(page);
      }
    }

    private synchronized void unpin() {
      pinned = false;
    }

    private synchronized void evict() {
      while (!pinned && cache.excessPages() > 0) {
        cache.free(cached.remove());
      }
    }

    void end(int target) {
      Check.that(arbiter.own() == target, "write memory has " + arbiter.own() + " pages");
      Check.that(write.targetPages() == target, "and may take " + write.targetPages());
      Check.that(
          cache.targetPages() == WRITE_PAGES + CACHE_PAGES - target,
          "the cache may take " + cache.targetPages());
      pool.discard();
    }
  }
}
