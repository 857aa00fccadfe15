package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.manifest.Manifest;

/** Trees that are flushed together, on a machine that stops at any call of the file system. */
@Tag("once")
class GroupFlushCrashTest {
  private static final int TREES = 5;

  /** How far the life before the crash came. */
  private static final class Life {
    private int acknowledged;
    private boolean flushing;
  }

  @ParameterizedTest
  @EnumSource
  void allOrNoneOfTheFlushesCount(CrashKind kind) {
    int[] found = new int[TREES + 1];
    for (int call = 1; crashedAt(call, kind, found); call++) {
      assertThat(call).isLessThan(2000);
    }
    for (int some = 1; some < TREES; some++) {
      assertThat(found[some]).as("crashes after which %d trees have tables", some).isZero();
    }
    assertThat(found[0]).as("crashes before the edit").isGreaterThan(2 * TREES);
    assertThat(found[TREES]).as("crashes after the edit").isPositive();
  }

  /** False if the life ended before the call. */
  private static boolean crashedAt(int call, CrashKind kind, int[] found) {
    Life life = new Life();
    try (Simulation sim = Simulation.seeded(call)) {
      sim.crashAtCall(call, kind);
      if (sim.run(() -> live(sim, life))) {
        return false;
      }
      assertThat(
              sim.run(
                  () -> {
                    if (life.flushing) {
                      found[treesOnDisk(sim)]++;
                    }
                    verify(sim, life);
                  }))
          .isTrue();
      return true;
    } catch (Throwable t) {
      throw new AssertionError(kind + " at call " + call, t);
    }
  }

  private static void live(Simulation sim, Life life) {
    try (Engine engine = open(sim)) {
      List<Tree> trees = new ArrayList<>();
      for (int i = 0; i < TREES; i++) {
        trees.add(engine.createTree("t" + i));
      }
      for (Tree tree : trees) {
        tree.put(key(life.acknowledged), new byte[100]);
        life.acknowledged++;
      }
      life.flushing = true;
      engine.flush();
    }
  }

  /** As the manifest says, before a recovery changes it. */
  private static int treesOnDisk(Simulation sim) {
    try (Manifest manifest = Manifest.open(sim.env(), sim.directory())) {
      return manifest.read(
          state ->
              (int) state.trees().stream().filter(tree -> !tree.components().isEmpty()).count());
    }
  }

  private static void verify(Simulation sim, Life life) {
    try (Engine engine = open(sim)) {
      for (int i = 0; i < life.acknowledged; i++) {
        assertThat(engine.tree("t" + i).get(key(i))).as("tree %d", i).hasSize(100);
      }
    }
  }

  private static Engine open(Simulation sim) {
    return Engine.open(sim.env(), sim.directory(), EngineSimulationTest.config(Durability.SYNC));
  }

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }
}
