package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.junit.jupiter.api.Test;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Schedules of a load that begins or ends beside a transaction and beside a flush. */
@Explored
class IndexLoadsScheduleTest {
  private static final int SCHEDULES = 300;

  /** Large pages: what an engine does at its start for each page of its memory takes time. */
  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(32 << 10)
          .writeInitialBytes(512 << 10)
          .build();

  private static LoamNode open(Simulation sim) {
    return new LoamNode(
        sim.env(), List.of(sim.directory()), CONFIG, new AtomicLong()::incrementAndGet);
  }

  /** A load that fails would take what was written beside it. */
  @Test
  void aLoadAndATransactionAreNotBothInside() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          AtomicInteger inside = new AtomicInteger();
          AtomicBoolean loads = new AtomicBoolean();
          AtomicBoolean writes = new AtomicBoolean();
          try (LoamNode loam = open(sim)) {
            IndexLoads all =
                new IndexLoads(new IndexTree(loam), () -> isFresh(sim, inside), new byte[0]);
            sim.run(
                () -> loads.set(passes(() -> all.refuseWrites(true)) && all.isLoading()),
                () -> {
                  // As AsterixDB's tracker counts it, before its first write.
                  sim.env().waiter().spin();
                  inside.incrementAndGet();
                  sim.env().waiter().spin();
                  writes.set(passes(all::requireNone));
                });
            assertThat(loads.get() && writes.get()).isFalse();
            assertThat(all.isLoading()).isEqualTo(loads.get());
          }
        });
  }

  /** A transaction may still take its write back, which a flush must not bring to disk. */
  @Test
  void noFlushThatALoadAllowsBeginsAfterTheNextWrite() {
    IndexTree tree = closedTree();
    Schedules.explore(
        SCHEDULES,
        sim -> {
          IndexLoads all = new IndexLoads(tree, () -> true, new byte[0]);
          assertThat(passes(() -> all.refuseWrites(false))).isTrue();
          AtomicBoolean isWritten = new AtomicBoolean();
          sim.run(
              () -> {
                all.end();
                isWritten.set(passes(all::requireNone));
              },
              () -> {
                Step request = () -> all.ifLoading(() -> assertThat(isWritten.get()).isFalse());
                assertThat(passes(request)).isTrue();
              });
          assertThat(isWritten).isTrue();
        });
  }

  /** Loads begin and end without it. Threads of an engine would only take switching points. */
  private static IndexTree closedTree() {
    try (Simulation sim = Simulation.seeded(1);
        LoamNode loam = open(sim)) {
      return new IndexTree(loam);
    }
  }

  private static boolean isFresh(Simulation sim, AtomicInteger inside) {
    sim.env().waiter().spin();
    boolean fresh = inside.get() == 0;
    sim.env().waiter().spin();
    return fresh;
  }

  private interface Step {
    void make() throws HyracksDataException;
  }

  private static boolean passes(Step step) {
    try {
      step.make();
      return true;
    } catch (HyracksDataException e) {
      return false;
    }
  }
}
