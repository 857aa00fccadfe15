package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.sim.Simulation;
import org.loam.engine.report.FlushChoice;
import org.loam.lsm.TreeState;

/**
 * Flushes of trees that a host has frozen as a whole: their ranges of keys go to disk in groups,
 * and the memory of each group comes back by itself.
 */
class HostFlushTest {
  private static final EngineConfig CONFIG =
      EngineSimulationTest.config(Durability.SYNC).toBuilder()
          .writeInitialBytes(1 << 20)
          .logSegmentBytes(256 << 10)
          .logMaxBytes(1 << 20)
          .build();

  private static final long OWN_BYTES = CONFIG.write().initialBytes();

  /** So many make more than ten ranges, of which none is full. */
  private static final int KEYS = 600;

  @RegisterExtension private final HostedSimulation world = new HostedSimulation(CONFIG);

  private final SimulatedHost host = world.host();
  private final Simulation sim = world.sim();

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static void putAll(Tree tree) {
    for (int i = 0; i < KEYS; i++) {
      tree.put(key(i), new byte[1000]);
    }
  }

  /** A tree with ranges that are written to evenly, and flushes that take long. */
  private static Tree divided(Engine engine) {
    Tree tree = engine.createTree("t");
    putAll(tree);
    tree.flush();
    putAll(tree);
    assertThat(tree.lsm().actives()).hasSizeGreaterThan(10);
    // Slower than the looks at it, in every schedule.
    engine.configure("io.limitBytesPerSecond", "1MiB");
    return tree;
  }

  /** Runs until a flush of the tree that begins now has ended. */
  private void duringFlush(Tree tree, Runnable look) {
    long flush = tree.host().beginFlush();
    boolean[] ended = new boolean[1];
    Task waiting =
        sim.env()
            .tasks()
            .start(
                "host",
                () -> {
                  tree.host().awaitFlushed(flush);
                  assertThat(tree.lsm().hasFrozen()).isFalse();
                  ended[0] = true;
                });
    while (!ended[0]) {
      look.run();
      sim.env().waiter().pause(500_000);
    }
    waiting.join();
  }

  @Test
  void theMemoryOfAFrozenTreeComesBackInSteps() {
    world.inEngine(
        engine -> {
          Tree tree = divided(engine);
          long before = engine.statistics().memory().writeUsedBytes();
          List<Long> left = new ArrayList<>(List.of(before));
          duringFlush(
              tree,
              () -> {
                long used = engine.statistics().memory().writeUsedBytes();
                if (used < left.get(left.size() - 1)) {
                  left.add(used);
                  tree.put(key(0), new byte[1]);
                }
              });
          assertThat(before).isGreaterThan(OWN_BYTES / 2);
          assertThat(left).hasSizeGreaterThan(10);
          for (int i = 1; i < left.size(); i++) {
            assertThat(left.get(i - 1) - left.get(i)).isLessThanOrEqualTo(OWN_BYTES / 16);
          }
          assertThat(tree.get(key(0))).hasSize(1);
          for (int i = 1; i < KEYS; i++) {
            assertThat(tree.get(key(i))).hasSize(1000);
          }
        });
  }

  /** What is on disk of it leaves memory that is written to again, and little of that is new. */
  @Test
  void aTreeIsNotWantedAgainBeforeAllOfItIsOnDisk() {
    world.inEngine(
        engine -> {
          Tree tree = divided(engine);
          host.takeWanted();
          int[] written = new int[1];
          duringFlush(
              tree,
              () -> {
                if (written[0] < KEYS / 10) {
                  tree.put(key(10 * written[0]++), new byte[1]);
                }
                engine.host().relieveWriteMemory();
                assertThat(tree.lsm().hasFrozen() && host.isShort()).isFalse();
                host.takeWanted();
              });
          assertThat(written[0]).isEqualTo(KEYS / 10);
          engine.host().relieveWriteMemory();
          assertThat(host.takeWanted()).containsExactly("t");
        });
  }

  /** Its memory comes back as one, so it must not have much of it; garbage is no other reason. */
  @Test
  void aRangeAsksForTheFlushWhenItHasATenthOfWriteMemory() {
    world.inEngine(
        engine -> {
          Tree growing = engine.createTree("growing");
          for (int i = 0; !host.isShort(); i++) {
            growing.put(key(i), new byte[1000]);
          }
          assertThat(host.takeWanted()).containsExactly("growing");
          Tree overwritten = engine.createTree("overwritten");
          while (!host.isShort()) {
            overwritten.put(key(0), new byte[1000]);
          }
          assertThat(host.takeWanted()).containsExactly("overwritten");
          for (FlushChoice choice : engine.flushChoices()) {
            assertThat(choice.rule()).isEqualTo(FlushChoice.Rule.FULL);
            assertThat(choice.chosen().bytes()).isBetween(OWN_BYTES / 10, OWN_BYTES / 9);
          }
        });
  }

  private static TreeState.Work work(Engine engine, Tree tree) {
    TreeState.Work[] work = new TreeState.Work[1];
    engine.open().writes().latch().underLatch(() -> work[0] = tree.lsm().work());
    return work[0];
  }

  /** What a host flushes by itself, for its log, more write memory would not have put off. */
  @Test
  void aFlushThatTheHostWasAskedForIsForMemory() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("dataset/primary");
          Tree index = engine.createTree("dataset/index");
          tree.put(key(0), new byte[1000]);
          index.put(key(0), new byte[1000]);
          assertThat(host.isShort()).isFalse();
          tree.flush();
          index.flush();
          long forLog = work(engine, tree).flushedForLogBytes();
          assertThat(forLog).isPositive();
          assertThat(work(engine, tree).flushedForMemoryBytes()).isZero();
          index.put(key(0), new byte[1000]);
          for (int i = 0; !host.isShort(); i++) {
            tree.put(key(i), new byte[1000]);
          }
          // The host flushes both.
          assertThat(host.takeWanted()).containsExactly(tree.name());
          for (Tree flushed : List.of(tree, index)) {
            flushed.flush();
            assertThat(work(engine, flushed).flushedForMemoryBytes()).isPositive();
            assertThat(work(engine, flushed).flushedForLogBytes()).isEqualTo(forLog);
            // Nothing is wanted any more.
            flushed.put(key(0), new byte[1000]);
            flushed.flush();
            assertThat(work(engine, flushed).flushedForLogBytes()).isGreaterThan(forLog);
          }
        });
  }

  /** A host takes every scheme: two of them divide a tree there, the others do not. */
  @ParameterizedTest
  @EnumSource
  void aTreeHasRangesOrOneComponentBelowAHost(WriteScheme scheme) {
    boolean isDivided = scheme == WriteScheme.RANGES || scheme == WriteScheme.LEVELS;
    host.inEngine(
        sim,
        CONFIG.toBuilder().writeScheme(scheme).build(),
        engine -> {
          Tree tree = engine.createTree("t");
          putAll(tree);
          assertThat(engine.statistics().work().flushes()).isZero();
          assertThat(tree.lsm().runs()).isEmpty();
          tree.flush();
          assertThat(tree.lsm().actives().size() > 10).isEqualTo(isDivided);
          assertThat(tree.lsm().actives().size() == 1).isEqualTo(!isDivided);
        });
  }
}
