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

/** Schedules of a load that begins beside a transaction that does, too. */
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

  /** A load that fails would take what was written beside it. */
  @Test
  void aLoadAndATransactionAreNotBothInside() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          AtomicInteger inside = new AtomicInteger();
          AtomicBoolean loads = new AtomicBoolean();
          AtomicBoolean writes = new AtomicBoolean();
          try (LoamNode loam =
              new LoamNode(
                  sim.env(), List.of(sim.directory()), CONFIG, new AtomicLong()::incrementAndGet)) {
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
