package org.loam.it.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.apache.commons.io.FileUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.real.RealEnv;
import org.loam.common.mem.Mem;
import org.loam.common.sim.Simulation;
import org.loam.it.Seeds;
import org.loam.it.model.EngineRun.Work;

/**
 * Random operations on random configurations give the answers of a sorted map, the same operations
 * with each scheme of write memory, which also changes in between. {@code -Dloam.model.seeds=N}
 * plays more, {@code -Dloam.model.first=N} others; a failure prints its seed and a short list of
 * operations that still fails.
 */
class ModelTest {
  private static final int OPERATIONS = 2500;
  private static final int SHRINKING_RUNS = 300;

  /** Of trees in each of the two runs of a build. */
  private static final long TREE_SEEDS = Long.getLong("loam.model.seeds", 42);

  private static final long FIRST = Long.getLong("loam.model.first", 1);

  /** In the run with raw memory others than in the run before it. */
  private static final long FIRST_OF_TREES = Mem.CHECKED ? FIRST : FIRST + TREE_SEEDS;

  private static final long DATASET_SEEDS = Long.getLong("loam.model.seeds", 35);

  /** They take longer. */
  private static final long GROWING_SEEDS = Long.getLong("loam.model.seeds", 40) / 20;

  /** One seed in so many is played on real files, too. */
  private static final int SIMULATED_PER_REAL = 40;

  @TempDir Path directory;

  /** Makes a run in an environment and a directory. */
  private interface NewRun {
    EngineRun in(StorageEnv env, Path directory, EngineConfig config);
  }

  @Test
  void simulatedEnginesAnswerAsSortedMapsDo() throws InterruptedException {
    playSimulated("model", FIRST_OF_TREES, TREE_SEEDS, ModelRun::operations, ModelRun::new);
  }

  @Test
  void enginesOnRealFilesAnswerAsSortedMapsDo() {
    playReal(FIRST_OF_TREES, TREE_SEEDS, ModelRun::operations, ModelRun::new);
  }

  @Test
  @Tag("once")
  void simulatedDatasetsAnswerAsSortedMapsDo() throws InterruptedException {
    playSimulated(
        "model of datasets",
        FIRST,
        DATASET_SEEDS,
        DatasetModelRun::operations,
        DatasetModelRun::new);
  }

  @Test
  @Tag("once")
  void datasetsOnRealFilesAnswerAsSortedMapsDo() {
    playReal(FIRST, DATASET_SEEDS, DatasetModelRun::operations, DatasetModelRun::new);
  }

  @Test
  @Tag("once")
  void aTreeWhoseKeysGrowAnswersAsAMapDoes() throws InterruptedException {
    Seeds.run(FIRST, GROWING_SEEDS, GrowingKeysTrial::new);
  }

  private static void playSimulated(
      String title,
      long first,
      long seeds,
      BiFunction<Long, Integer, List<Operation>> operations,
      NewRun newRun)
      throws InterruptedException {
    Work work = new Work();
    LongConsumer one =
        seed -> play("simulated", seed, operations, few -> playSimulated(seed, few, newRun, work));
    Seeds.run(first, seeds, () -> one);
    System.out.printf(
        "%s: %d seeds, %d operations, %d flushes, %d merges, %d decisions of the tuner%n",
        title, seeds, seeds * OPERATIONS, work.flushes(), work.merges(), work.decisions());
    assertThat(work.flushes()).isPositive();
    assertThat(work.merges()).isPositive();
    assertThat(work.decisions()).isPositive();
  }

  private void playReal(
      long first,
      long seeds,
      BiFunction<Long, Integer, List<Operation>> operations,
      NewRun newRun) {
    for (long seed = first; seed <= first + seeds / SIMULATED_PER_REAL; seed++) {
      long current = seed;
      play("real", seed, operations, few -> playReal(current, few, newRun));
    }
  }

  private static void play(
      String where,
      long seed,
      BiFunction<Long, Integer, List<Operation>> made,
      Function<List<Operation>, @Nullable Throwable> player) {
    List<Operation> operations = made.apply(RandomConfig.operationsOf(seed), OPERATIONS);
    Throwable failure = player.apply(operations);
    if (failure != null) {
      List<Operation> few = shrink(operations, player);
      throw new AssertionError(
          where + ", seed " + seed + " (" + RandomConfig.of(seed) + "), shrunk to " + few, failure);
    }
  }

  /** Leaves out what is not needed to fail, in ever smaller pieces. */
  private static List<Operation> shrink(
      List<Operation> operations, Function<List<Operation>, @Nullable Throwable> player) {
    List<Operation> few = operations;
    int runs = 0;
    for (int piece = few.size() / 2; piece > 0; piece /= 2) {
      for (int at = 0; at < few.size() && runs++ < SHRINKING_RUNS; ) {
        List<Operation> fewer = new ArrayList<>(few.subList(0, at));
        fewer.addAll(few.subList(Math.min(few.size(), at + piece), few.size()));
        if (player.apply(fewer) != null) {
          few = fewer;
        } else {
          at += piece;
        }
      }
    }
    return few;
  }

  private static @Nullable Throwable playSimulated(
      long seed, List<Operation> operations, NewRun newRun, Work work) {
    try (Simulation sim = Simulation.seeded(seed)) {
      sim.run(
          () -> {
            EngineRun run = newRun.in(sim.env(), sim.directory(), RandomConfig.of(seed));
            run.play(operations);
            work.add(run.work());
            assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
          });
      return null;
    } catch (AssertionError | RuntimeException e) {
      return e;
    }
  }

  private @Nullable Throwable playReal(long seed, List<Operation> operations, NewRun newRun) {
    EngineRun run = null;
    try {
      Path own = Files.createTempDirectory(directory, "model");
      try {
        run = newRun.in(RealEnv.create(), own, RandomConfig.of(seed));
        run.play(operations);
        return null;
      } catch (AssertionError | RuntimeException e) {
        if (run != null) {
          run.engine().close();
        }
        return e;
      } finally {
        FileUtils.deleteDirectory(own.toFile());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
