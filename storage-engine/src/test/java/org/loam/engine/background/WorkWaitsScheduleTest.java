package org.loam.engine.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.work.IoClass;
import org.loam.scheduler.work.SmallOperation;
import org.loam.scheduler.work.StepResult;
import org.loam.scheduler.work.WorkListener;

/** Schedules of a thread that waits for work while that fails, or is done. */
@Tag("once")
@Explored
class WorkWaitsScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int TREE = 1;
  private static final int OTHER = 2;

  /** A thread that asks for a merge and waits for it, and one that does it. */
  private static final class World {
    private final WorkWaits waits;
    private final AtomicBoolean asked = new AtomicBoolean();
    private final AtomicBoolean done = new AtomicBoolean();
    private final StorageException planned = new StorageIoException("planned");
    private @Nullable Throwable thrown;

    World(Simulation sim) {
      waits = new WorkWaits(sim.env().waiter(), () -> {});
    }

    void await() {
      thrown = catchThrowable(() -> waits.awaitMerges(TREE, () -> asked.set(true), done::get));
    }

    void awaitFlush(int treeId) {
      thrown = catchThrowable(() -> waits.awaitFlushes(treeId, 0, done::get));
    }

    void end() {
      done.set(true);
      waits.signal();
    }

    /** A merge of a tree fails; what was not asked for before is done later, and succeeds. */
    void fail(int treeId) {
      boolean fails = asked.get();
      waits.mergeFailed(planned, treeId);
      if (!fails) {
        end();
      }
    }
  }

  /** A flush that keeps one tree back when it fails. */
  private static final class Flush extends SmallOperation {
    private final int keptBack;

    Flush(int keptBack) {
      super(IoClass.FLUSH);
      this.keptBack = keptBack;
    }

    @Override
    public boolean keepsBack(int treeId, int directory, StorageException fault) {
      return treeId == keptBack;
    }

    @Override
    public StepResult step(long quantumBytes) {
      return StepResult.DONE;
    }

    @Override
    public void abort() {}
  }

  @Test
  void aWaitEndsWhenTheWorkIsDone() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          assertThat(sim.run(world::await, world::end)).isTrue();
          assertThat(world.thrown).isNull();
        });
  }

  @Test
  void noFaultIsMissedOfWhatWasAskedFor() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          assertThat(sim.run(world::await, () -> world.fail(TREE))).isTrue();
          assertThat(world.thrown).isIn(null, world.planned);
        });
  }

  @Test
  void aFaultOfAllTreesEndsTheWaitToo() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          assertThat(sim.run(world::await, () -> world.fail(WorkListener.ALL_TREES))).isTrue();
          assertThat(world.thrown).isIn(null, world.planned);
        });
  }

  @Test
  void damageOfAnotherTreeAndFlushesThatFailDoNotEndIt() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          Runnable others =
              () -> {
                world.waits.mergeFailed(world.planned, OTHER);
                world.waits.flushFailed(new Flush(TREE), world.planned);
                world.end();
              };
          assertThat(sim.run(world::await, others)).isTrue();
          assertThat(world.thrown).isNull();
        });
  }

  @Test
  void theFaultOfAFlushEndsTheWaitForItsTreeOrForAll() {
    for (int treeId : new int[] {TREE, WorkListener.ALL_TREES}) {
      Schedules.explore(
          SCHEDULES,
          sim -> {
            World world = new World(sim);
            Runnable work =
                () -> {
                  world.waits.flushFailed(new Flush(TREE), world.planned);
                  world.end();
                };
            assertThat(sim.run(() -> world.awaitFlush(treeId), work)).isTrue();
            assertThat(world.thrown).isIn(null, world.planned);
          });
    }
  }

  @Test
  void flushesOfOtherTreesThatFailDoNotEndTheWaitForOne() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = new World(sim);
          Runnable others =
              () -> {
                world.waits.flushFailed(new Flush(OTHER), world.planned);
                world.end();
              };
          assertThat(sim.run(() -> world.awaitFlush(TREE), others)).isTrue();
          assertThat(world.thrown).isNull();
        });
  }
}
