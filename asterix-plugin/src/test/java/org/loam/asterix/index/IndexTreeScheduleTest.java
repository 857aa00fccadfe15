package org.loam.asterix.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/** Schedules of writers that come to an index at once. */
@Explored
@ExtendWith(QuietLog.class)
class IndexTreeScheduleTest {
  private static final int SCHEDULES = 100;

  /** Large pages: what an engine does at its start for each page of its memory takes time. */
  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(32 << 10)
          .writeInitialBytes(512 << 10)
          .build();

  /** A node with an index. */
  private static final class World {
    private final LoamNode loam;
    private final IndexTree tree;

    World(Simulation sim) {
      loam =
          new LoamNode(
              sim.env(), List.of(sim.directory()), CONFIG, new AtomicLong()::incrementAndGet);
      tree = new IndexTree(loam);
      FileReference directory =
          new FileReference(new IODeviceHandle(sim.directory().toFile(), "."), "partition_0/index");
      try {
        tree.open(directory, true, () -> {});
      } catch (HyracksDataException e) {
        throw new AssertionError(e);
      }
    }

    StallLog.Totals stalls() {
      return loam.statistics().stalls().totals().get(StallCause.HOST_FLUSH);
    }
  }

  /** Those that wait for a large record come beside each other, under no lock of AsterixDB's. */
  @Test
  void writersThatAreKeptOutTogetherAreOneStall() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          Runnable keptOut = () -> world.tree.writerCame(false);
          sim.run(keptOut, keptOut, keptOut);
          sim.run(
              () -> {
                assertThat(world.stalls().activeCount()).isEqualTo(1);
                world.tree.writerCame(true);
                assertThat(world.stalls().activeCount()).isZero();
                assertThat(world.stalls().count()).isEqualTo(1);
                world.loam.close();
              });
        });
  }
}
