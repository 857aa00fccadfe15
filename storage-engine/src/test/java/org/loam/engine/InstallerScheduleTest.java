package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SwitchPoints;
import org.loam.engine.commit.WorkFaults;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.tree.Installer;
import org.loam.engine.tree.Schema;
import org.loam.log.CommitLog;
import org.loam.scheduler.work.BackgroundOperation;

/** Schedules of a log that is truncated without a flush, while the flush of a new write fails. */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class InstallerScheduleTest {
  private static final int SCHEDULES = 400;
  private static final int LOOKS = 4;

  /** An engine with an empty memory, a tree that is to be dropped, and a failed flush. */
  private static final class World {
    private final Engine engine;
    private final Installer installer;
    private final WorkFaults faults;
    private final Tree kept;
    private final Tree dropped;
    private boolean failed;

    World(Simulation sim) {
      engine =
          Engine.open(
              sim.env(),
              sim.directory(),
              SmallEngine.config().durability(Durability.PROCESS).build());
      installer = engine.open().installer();
      faults = engine.open().writes().faults();
      kept = engine.createTree("kept");
      dropped = engine.createTree("dropped");
      fail("earlier");
    }

    void fail(String message) {
      faults.flushFailed(BackgroundOperation.NO_DIRECTORY, new StorageIoException(message));
    }

    /** The log keeps what is not forced yet, and what it says of the manifest. */
    void drop() {
      Schema schema = engine.open().schema();
      schema.underChanges(() -> schema.drop(List.of(dropped.lsm())));
    }

    /** A truncation has something to do, and a fault to forget. */
    void leaveUnneededLog() {
      dropped.put(new byte[1], new byte[1]);
      drop();
      fail("earlier");
      assertThat(installer.isMemoryEmpty()).isTrue();
      CommitLog log = engine.open().storage().log();
      assertThat(log.endLsn()).isGreaterThan(log.truncationLsn());
    }

    /** At one moment: how a write is made is no matter of this test. */
    void write() {
      SwitchPoints.hold();
      kept.put(new byte[1], new byte[1]);
      SwitchPoints.release();
    }

    /** The flush of the write fails, as soon as it is in memory. */
    void failOnceWritten() {
      for (int i = 0; i < LOOKS && !failed; i++) {
        SwitchPoints.hold();
        failed = !installer.isMemoryEmpty();
        if (failed) {
          fail("later");
        }
        SwitchPoints.release();
      }
    }

    void writeAndFail() {
      write();
      failOnceWritten();
    }

    void requireLaterFault() {
      if (failed) {
        assertThat(faults.lastOfFlushes()).isEqualTo("later");
      }
    }
  }

  /** What comes before and after is no matter of a test, and takes no switch. */
  private static void explore(Consumer<World> before, Consumer<World> truncate) {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim), before);
          sim.run(() -> truncate.accept(world), world::writeAndFail, world::failOnceWritten);
          Schedules.finish(
              sim,
              () -> {
                world.requireLaterFault();
                world.engine.close();
              });
        });
  }

  @Test
  void aTruncationForgetsNoLaterFault() {
    explore(World::leaveUnneededLog, world -> world.installer.truncateUnneeded());
  }

  @Test
  void aDropForgetsNoLaterFault() {
    explore(world -> {}, World::drop);
  }
}
