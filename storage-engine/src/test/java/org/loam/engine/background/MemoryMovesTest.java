package org.loam.engine.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.PagePool;
import org.loam.common.sim.Simulation;
import org.loam.engine.memory.MemoryArbiter;

/** Moves beside flushes that take a while, in virtual time. */
class MemoryMovesTest {
  private static final int PAGE_BYTES = 4096;
  private static final int WRITE_PAGES = 64;
  private static final int CACHE_PAGES = 2 * MemoryArbiter.MIN_CACHE_PAGES;
  private static final int LEAST_PAGES = 16;
  private static final long MILLI = 1_000_000;

  /** Write memory is full, and each wait of a move ends with the flush of a few pages. */
  private static final class Life implements MemoryMoves.WriteSide, AutoCloseable {
    private final Simulation sim;
    private final long flushNanos;
    private final PagePool pool = new PagePool(WRITE_PAGES + CACHE_PAGES, PAGE_BYTES);
    private final PagePool.Quota write = pool.quota("write memory", WRITE_PAGES);
    private final MemoryArbiter arbiter;
    private final ArrayDeque<Long> written = new ArrayDeque<>();
    private final MemoryMoves moves;

    /** When flushes began, in turn with when they ended. */
    private final List<Long> flushes = new ArrayList<>();

    private volatile boolean moved;

    Life(Simulation sim, long flushNanos) {
      this.sim = sim;
      this.flushNanos = flushNanos;
      PagePool.Quota cache = pool.quota("buffer cache", CACHE_PAGES);
      this.arbiter = new MemoryArbiter(pool, write, cache, () -> {}, LEAST_PAGES);
      for (int i = 0; i < WRITE_PAGES; i++) {
        written.add(write.allocate());
      }
      this.moves = new MemoryMoves(sim.env(), arbiter, () -> 0, this);
    }

    @Override
    public boolean canFlush() {
      return true;
    }

    @Override
    public void relieve() {
      flushes.add(sim.env().clock().nanoTime());
    }

    @Override
    public void awaitFreed(long nanos) {
      sim.env().waiter().pause(flushNanos);
      for (int i = 0; i < 4; i++) {
        write.free(written.remove());
      }
      arbiter.settle();
      flushes.add(sim.env().clock().nanoTime());
    }

    @Override
    public void moved() {
      moved = true;
    }

    void target(int pages) {
      moves.setTarget((long) pages * PAGE_BYTES);
    }

    void awaitMoved(long nanos) {
      long from = sim.env().clock().nanoTime();
      while (!moved) {
        assertThat(sim.env().clock().nanoTime() - from).as("ns of a move").isLessThan(nanos);
        sim.env().waiter().pause(MILLI);
      }
      moved = false;
    }

    @Override
    public void close() {
      moves.close();
      pool.discard();
    }
  }

  @Test
  void flushesOfAMoveLeaveMostOfTheTimeToClients() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Life life = new Life(sim, 20 * MILLI)) {
              life.target(LEAST_PAGES);
              life.awaitMoved(10_000 * MILLI);
              List<Long> times = life.flushes;
              assertThat(times).hasSizeGreaterThan(20);
              for (int i = 2; i < times.size(); i += 2) {
                long took = times.get(i - 1) - times.get(i - 2);
                assertThat(times.get(i) - times.get(i - 1)).isGreaterThanOrEqualTo(3 * took);
              }
            }
          });
    }
  }

  @Test
  void aNewTargetEndsARest() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Life life = new Life(sim, 100 * MILLI)) {
              life.target(LEAST_PAGES);
              sim.env().waiter().pause(200 * MILLI);
              assertThat(life.flushes).as("a flush that has ended").hasSize(2);
              life.target(life.arbiter.own());
              life.awaitMoved(10 * MILLI);
            }
          });
    }
  }

  /** A flush that hung is no reason for a rest that is a few times as long. */
  @Test
  void aRestEnds() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Life life = new Life(sim, 20_000 * MILLI)) {
              life.target(WRITE_PAGES - 8);
              life.awaitMoved(2 * 21_100 * MILLI);
            }
          });
    }
  }
}
