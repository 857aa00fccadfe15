package org.loam.it.schedule;

import java.util.concurrent.atomic.AtomicLong;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;
import org.loam.engine.background.MemoryMoves;
import org.loam.engine.memory.MemoryArbiter;

/**
 * Two changes of the setting that states the size of write memory, beside a decision of the tuner:
 * in the end the target is what the setting states. No page moves, so that a schedule has few
 * accesses.
 */
public final class TargetsTrial extends ScheduleTrial {
  private static final int PAGE_BYTES = 4096;
  private static final int WRITE_PAGES = 32;
  private static final int LEAST_PAGES = 16;

  /** To be run in instrumented code. */
  public TargetsTrial() {
    super(TargetsTrial::world);
  }

  private static final class Fenced implements MemoryMoves.WriteSide {
    @Override
    public boolean canFlush() {
      return false;
    }

    @Override
    public void relieve() {}

    @Override
    public void awaitFreed(long nanos) {}

    @Override
    public void moved() {}
  }

  static void world(Simulation sim) {
    PagePool pool = new PagePool(WRITE_PAGES + 2 * MemoryArbiter.MIN_CACHE_PAGES, PAGE_BYTES);
    PagePool.Quota write = pool.quota("write memory", WRITE_PAGES);
    PagePool.Quota cache = pool.quota("buffer cache", 2 * MemoryArbiter.MIN_CACHE_PAGES);
    MemoryArbiter arbiter = new MemoryArbiter(pool, write, cache, () -> {}, LEAST_PAGES);
    AtomicLong setting = new AtomicLong();
    MemoryMoves moves = new MemoryMoves(sim.env(), arbiter, setting::get, () -> true, new Fenced());
    sim.run(
        () -> change(setting, moves, 20),
        () -> change(setting, moves, 40),
        () -> moves.setTarget(24 * PAGE_BYTES, () -> setting.get() == 0));
    sim.run(moves::close);
    Check.that(
        arbiter.targetBytes() == setting.get(),
        "the target is " + arbiter.targetBytes() + ", the setting states " + setting.get());
    undisturbed(pool::discard);
  }

  private static void change(AtomicLong setting, MemoryMoves moves, int pages) {
    setting.set((long) pages * PAGE_BYTES);
    moves.followSetting();
  }
}
