package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.scheduler.work.StallCause.WRITE_CONTROL;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.StorageIoException;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SoakSeeds;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.PartitionedLeveling.Selection;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.merge.TreeShape;

/** Writers, flushes and merges of several trees under a random schedule, with random faults. */
class BackgroundWorkersSimulationTest {
  private static final int L0_STOP = 6;
  private static final int L0_STOP_FILL = 2;
  private static final int SEEDS = 30;

  @Test
  void writersAreServedAndNothingIsLost() {
    for (long seed = 0; seed < SEEDS; seed++) {
      simulate(seed);
    }
  }

  @Test
  @Tag("soak")
  void writersAreServedInManyRuns() {
    SoakSeeds.some(500).forEach(BackgroundWorkersSimulationTest::simulate);
  }

  @Test
  void oneSeedIsOneRun() {
    assertThat(simulate(5)).isEqualTo(simulate(5)).isNotEqualTo(simulate(6));
  }

  private static WriteControl pace(int depths) {
    return new WriteControl.Pace(depths, L0_STOP, L0_STOP_FILL, 1000);
  }

  /** What a writer waits for is on its way: a merge out of L0 is due whenever there is a pace. */
  @Test
  void writersArePacedOnlyWhileAMergeIsDue() {
    for (long seed = 0; seed < 10; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        FakeEngine engine = new FakeEngine(sim.env(), seed);
        engine.control = pace(2);
        engine.stepNanos = 20_000_000;
        FakeEngine.Tree tree =
            engine.newTree(
                new PartitionedLeveling(
                    new PartitionedLeveling.Settings(
                        FakeEngine.LEVEL_RATIO, 2, 2, 1.5, Selection.CHOOSE_BEST, true, true)),
                ComponentConstraint.l0Stop(L0_STOP)
                    .or(ComponentConstraint.l0Fill(FakeEngine.LEVEL_RATIO, L0_STOP_FILL)),
                20);
        BackgroundWorkers workers =
            engine.start(
                new GreedyScheduler(1),
                new RateLimiter(sim.env(), 0),
                BackgroundWorkers.Settings.DEFAULT);
        Runnable writer =
            () -> {
              for (int i = 0; i < 1500; i++) {
                engine.checkPace(tree);
                tree.put(i);
              }
            };
        assertThat(sim.run(writer, writer, writer)).isTrue();
        sim.run(workers::awaitIdle);
        StallLog.Totals paced =
            engine.stalls.snapshot(sim.env().clock().nanoTime()).totals().get(WRITE_CONTROL);
        assertThat(paced.count()).as("seed " + seed).isPositive();
        assertThat(paced.longestNanos()).isLessThan(2 * Pacer.MOST_WAIT_NANOS);
        assertThat(tree.gate.paceBytesPerSecond()).isEqualTo(WriteControl.UNLIMITED);
        sim.run(workers::close);
      }
    }
  }

  private static long simulate(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      new Run(sim, seed).go();
      return sim.traceHash();
    } catch (Throwable t) {
      throw new AssertionError("seed " + seed, t);
    }
  }

  private static final class Run {
    private final Simulation sim;
    private final StorageEnv env;
    private final Random random;
    private final FakeEngine engine;
    private final RateLimiter limiter;
    private final BackgroundWorkers workers;
    private double faultRate;

    Run(Simulation sim, long seed) {
      this.sim = sim;
      this.env = sim.env();
      this.random = new Random(seed);
      this.engine = new FakeEngine(env, seed);
      this.limiter = new RateLimiter(env, random.nextBoolean() ? 0 : 100_000_000);
      this.faultRate = random.nextInt(3) * 0.2;
      int minMerge = 1 + random.nextInt(4);
      PartitionedLeveling policy =
          new PartitionedLeveling(
              new PartitionedLeveling.Settings(
                  FakeEngine.LEVEL_RATIO,
                  minMerge,
                  Math.min(L0_STOP - 1, minMerge + random.nextInt(4)),
                  1.5,
                  random.nextBoolean() ? Selection.ROUND_ROBIN : Selection.CHOOSE_BEST,
                  true,
                  random.nextBoolean()));
      ComponentConstraint constraint =
          ComponentConstraint.l0Stop(L0_STOP)
              .or(ComponentConstraint.l0Fill(FakeEngine.LEVEL_RATIO, L0_STOP_FILL))
              .or(ComponentConstraint.globalLimit(policy.settings().l0MaxMerge(), 2));
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        engine.newTree(policy, constraint, 5 + random.nextInt(20));
      }
      engine.hook = this::maybeFail;
      engine.flushedPerScan = () -> random.nextInt(3) == 0 ? 0 : Double.POSITIVE_INFINITY;
      engine.stepNanos = 1L + random.nextInt(200_000);
      if (random.nextBoolean()) {
        engine.control = pace(1 + random.nextInt(L0_STOP - policy.settings().l0MaxMerge()));
      }
      int mergeWorkers = 1 + random.nextInt(2);
      this.workers =
          engine.start(
              random.nextBoolean() ? new FairScheduler() : new GreedyScheduler(mergeWorkers),
              limiter,
              new BackgroundWorkers.Settings(
                  1 + random.nextInt(2),
                  mergeWorkers,
                  mergeWorkers + random.nextInt(3),
                  1L + random.nextInt(20),
                  1_000_000,
                  50_000_000,
                  random.nextBoolean() ? 100_000 : BackgroundWorkers.Settings.NEVER));
    }

    /** An operation fails with about the same probability however many steps it has. */
    private void maybeFail(FakeEngine.Operation operation, long quantumBytes) {
      if (random.nextDouble() * operation.totalBytes
          < faultRate * Math.min(quantumBytes, operation.totalBytes)) {
        switch (random.nextInt(3)) {
          case 0 -> throw new DiskFullException("full", 1, 0);
          case 1 -> throw new StorageIoException("refused");
          default -> throw new CorruptionException("bad page");
        }
      }
    }

    void go() {
      Runnable[] writers = new Runnable[3];
      for (int w = 0; w < writers.length; w++) {
        writers[w] =
            () -> {
              for (int i = 0; i < 400; i++) {
                FakeEngine.Tree tree = engine.trees.get(random.nextInt(engine.trees.size()));
                workers.setFlushLate(random.nextInt(4) == 0);
                tree.put(random.nextInt(2000));
                assertThat(tree.shape().l0Depth())
                    .as("depth of L0: the stop, and what was frozen before")
                    .isLessThanOrEqualTo(L0_STOP + 2);
              }
            };
      }
      assertThat(sim.run(writers)).isTrue();
      faultRate = 0;
      // An operation that has failed already may not have begun its rest, which is to be ended.
      sim.run(workers::awaitIdle);
      workers.retryNow();
      sim.run(workers::awaitIdle);
      assertThat(engine.broken).isEmpty();
      for (FakeEngine.Tree tree : engine.trees) {
        assertThat(tree.pending).isEmpty();
        tree.model.checkReads();
        TreeShape shape = tree.shape();
        assertThat(tree.mergePolicy().plan(shape, RunMode.RUNNING)).isEmpty();
        assertThat(tree.gate.violation()).isNull();
      }
      assertThat(engine.done).isPositive();
      assertThat(engine.aborted).isEqualTo(engine.faults.size());
      assertThat(engine.done + engine.aborted).isEqualTo(engine.begun);
      sim.run(workers::close, workers::close);
    }
  }
}
