package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.error.ClosedException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Epochs;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.tree.Schema;

/**
 * Schedules of a thread that waits for a flush of a tree, or for its compaction, while another one
 * drops the tree, or tries to; and of a close while the files of the tree are deleted. The
 * simulation finds a wait that no signal ends.
 */
@Tag("once")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Explored
@ExtendWith(QuietLog.class)
class DropEndScheduleTest {
  private static final int SCHEDULES = 100;

  /** A worker has to pass the tree over between two steps of the drop. */
  private static final int SCHEDULES_OF_FAILED_DROPS = 200;

  /** What the edit of a drop takes of the manifest. */
  private static final int DROP_BYTES = 56;

  /** An engine with a tree, a write of which is in L0 and another one in memory. */
  private static final class World {
    private final Engine engine;
    private final Tree tree;

    World(Simulation sim) {
      engine =
          Engine.open(
              sim.env(),
              sim.directory(),
              SmallEngine.config().mergeThreads(1).mergesWhenQuiet(false).build());
      tree = engine.createTree("t");
      tree.put(new byte[] {1}, new byte[] {1});
      tree.flush();
      tree.put(new byte[] {1}, new byte[] {2});
      // The workers have looked at what was flushed, and rest.
      sim.env().waiter().pause(1_000_000_000);
    }

    void flush() {
      try {
        tree.flush();
      } catch (ClosedException e) {
        // It was dropped before.
      }
    }

    void compact() {
      try {
        tree.compact();
      } catch (ClosedException e) {
        // It was dropped before.
      }
    }

    /** Whether a flush was waited for to its end. */
    boolean flushInTheEnd() {
      boolean done = false;
      while (!done) {
        try {
          tree.flush();
          done = true;
        } catch (StorageIoException e) {
          // Its edit failed as that of the drop did; it is tried again.
        } catch (ClosedException e) {
          return false; // It came while the drop was under way; the next one may be later.
        }
      }
      return true;
    }

    void drop() {
      engine.dropTree("t");
    }

    /** The first half of a drop. */
    void dropWithoutFiles() {
      schema().underChanges(() -> schema().drop(List.of(tree.lsm())));
    }

    Schema schema() {
      return engine.open().schema();
    }

    /** The drop needs a fresh file of the manifest, which cannot be made. */
    void letDropFail(Simulation sim) {
      FullManifest.fill(engine, DROP_BYTES);
      sim.faults().add(FullManifest.fault(sim).asSticky());
    }
  }

  @Test
  void aDropEndsTheWaitForAFlush() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::flush, world::drop);
          sim.run(world.engine::close);
        });
  }

  @Test
  void aDropEndsTheWaitForACompaction() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::compact, world::drop);
          sim.run(world.engine::close);
        });
  }

  /** A worker may look after the drop has let go of the tree, and before its files are unused. */
  @Test
  void filesThatAReaderKeepsAreDeletedInTheEnd() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          Epochs readers = SmallEngine.fileEpochs(world.engine.open());
          int[] slot = new int[1];
          sim.run(() -> slot[0] = readers.enter());
          sim.run(world::drop);
          assertThat(readers.retiredCount()).isEqualTo(1);
          sim.run(
              () -> {
                readers.exit(slot[0]);
                sim.env().waiter().pause(2_000_000_000L);
              });
          assertThat(readers.retiredCount()).isZero();
          sim.run(world.engine::close);
        });
  }

  @Test
  void aFlushThatWasPassedOverIsDoneAfterADropThatFails() {
    Schedules.explore(
        SCHEDULES_OF_FAILED_DROPS,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(() -> world.letDropFail(sim));
          boolean[] waited = new boolean[1];
          sim.run(
              () -> waited[0] = world.flushInTheEnd(),
              () -> {
                assertThatThrownBy(world::drop).isInstanceOf(StorageIoException.class);
                sim.faults().clear();
              });
          if (waited[0]) {
            assertThat(world.tree.lsm().hasFrozen()).as("frozen after the flush").isFalse();
          }
          sim.run(world.engine::close);
        });
  }

  /** Otherwise files would stay open, and on disk until the next open. */
  @Test
  void aCloseLeavesNoFileOfADroppedTree() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim), World::dropWithoutFiles);
          assertThat(tables(sim)).isEqualTo(1);
          sim.run(world.schema()::deleteFiles, world.engine::close);
          assertThat(tables(sim)).isZero();
        });
  }

  private static long tables(Simulation sim) {
    return sim.disk().files().stream().filter(path -> path.toString().endsWith(".sst")).count();
  }
}
