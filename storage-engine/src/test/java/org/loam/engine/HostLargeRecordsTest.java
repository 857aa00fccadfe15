package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.Memory;
import org.loam.engine.host.HostCursor;
import org.loam.engine.host.HostScan;

/**
 * Records of nearly all the memory that there is, below the log of a host: no frame of a log has to
 * hold them. Nothing that they do to memory stops the engine.
 */
@Tag("once")
class HostLargeRecordsTest {
  @RegisterExtension private final HostedSimulation world = new HostedSimulation(config());

  private final SimulatedHost host = world.host();
  private final Simulation sim = world.sim();

  private static EngineConfig config() {
    return EngineSimulationTest.config(Durability.SYNC).toBuilder().flushThreshold(0.6).build();
  }

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }

  /** So that it is not any other of its length. */
  private static byte[] value(int seed, int bytes) {
    byte[] value = new byte[bytes];
    new Random(seed).nextBytes(value);
    return value;
  }

  /** Every way of reading agrees, also that of statistics of what was lent. */
  private static void requireContent(Tree tree, Map<Integer, byte[]> expected) {
    expected.forEach(
        (number, value) -> {
          assertThat(tree.get(key(number))).isEqualTo(value);
          assertThat(tree.host().find(key(number)).value()).isEqualTo(value);
        });
    List<byte[]> found = new ArrayList<>();
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      while (cursor.next()) {
        found.add(cursor.value());
      }
    }
    assertThat(found).containsExactlyElementsOf(new TreeMap<>(expected).values());
  }

  private static void requireRefused(Engine engine, Tree tree, int valueBytes) {
    int most = engine.host().largestRecordBytes();
    Memory before = engine.statistics().memory();
    byte[] value = new byte[valueBytes];
    assertThatThrownBy(() -> tree.put(key(9), value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the record takes %d bytes, must be at most %d: write memory, with all that the buffer"
                    .formatted(valueBytes + key(9).length, most)
                + " cache lends, has room for no more; raise memory.total");
    assertThat(engine.statistics().memory().writeUsedBytes()).isEqualTo(before.writeUsedBytes());
    assertThat(tree.get(key(9))).isNull();
  }

  @Test
  void aRecordMayHaveAllMemoryThatThereIs() {
    Map<Integer, byte[]> content = new HashMap<>();
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          Memory before = engine.statistics().memory();
          int most = engine.host().largestRecordBytes() - key(1).length;
          assertThat((long) most)
              .as("write memory, and all of the cache but 256 pages")
              .isGreaterThan(
                  (before.writeTargetBytes() + before.cacheTargetBytes() - (1 << 20)) / 20 * 19)
              .isGreaterThan(64 * before.writeTargetBytes());
          requireRefused(engine, tree, most + 1);
          int[] sizes = {most, most - 1, 9 << 20, 300_000};
          for (int i = 0; i < sizes.length; i++) {
            content.put(i, value(i, sizes[i]));
            tree.put(key(i), content.get(i));
            requireContent(tree, content);
            assertThat(host.takeWanted()).containsExactly("t");
            tree.flush();
            requireContent(tree, content);
          }
          assertThat(engine.statistics().memory().writeTargetBytes())
              .isEqualTo(before.writeTargetBytes());
          tree.compact();
          requireContent(tree, content);
          assertThat(engine.verify().isSound()).isTrue();
        });
    world.inEngine(engine -> requireContent(engine.tree("t"), content));
  }

  @Test
  void aLargeRecordIsTakenBack() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          tree.put(key(1), value(1, 5 << 20));
          tree.flush();
          int half = engine.host().largestRecordBytes() / 2;
          tree.put(key(1), value(2, half));
          tree.put(key(2), value(3, 1000));
          assertThat(tree.host().undo(key(1))).isTrue();
          requireContent(tree, Map.of(1, value(1, 5 << 20), 2, value(3, 1000)));
          tree.flush();
          requireContent(tree, Map.of(1, value(1, 5 << 20), 2, value(3, 1000)));
          // All of it is there again.
          tree.put(key(2), value(4, engine.host().largestRecordBytes() - 4));
          tree.flush();
        });
  }

  /** Of a record that only comes to disk with the third life: it is redone twice. */
  @Test
  void aLargeRecordIsMadeAgainAfterCrashes() {
    byte[] old = value(1, 2 << 20);
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          tree.put(key(1), old);
          tree.flush();
        });
    byte[] large = value(2, 40 << 20);
    for (CrashKind kind : CrashKind.values()) {
      sim.run(
          () -> {
            Engine engine = host.open(sim, config());
            Tree tree = engine.tree("t");
            requireContent(tree, Map.of(1, old));
            tree.put(key(1), large);
            requireContent(tree, Map.of(1, large));
            sim.crashAtCall(3, kind);
            tree.flush();
            engine.close();
          });
      sim.crash(kind);
      host.crash();
    }
    world.inEngine(
        engine -> {
          Tree tree = engine.tree("t");
          requireContent(tree, Map.of(1, old));
          tree.put(key(1), large);
          tree.flush();
        });
    world.inEngine(engine -> requireContent(engine.tree("t"), Map.of(1, large)));
  }

  /**
   * Two writers whose records have no room beside each other, and others with small ones: each
   * waits for the flush of what the other wrote.
   */
  @Test
  void recordsThatDoNotFitTogetherComeOneAfterTheOther() {
    world.inEngine(
        engine -> {
          List<Tree> trees = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            trees.add(engine.createTree("t" + i));
          }
          int large = engine.host().largestRecordBytes() / 3 * 2;
          boolean[] done = {false};
          List<Task> writers = new ArrayList<>();
          for (Tree tree : trees) {
            int size = tree == trees.get(2) ? 10_000 : large;
            writers.add(sim.env().tasks().start("writer", () -> write(tree, size)));
          }
          Task flusher = sim.env().tasks().start("flusher", () -> flushWanted(engine, done));
          writers.forEach(Task::join);
          done[0] = true;
          flusher.join();
          for (Tree tree : trees) {
            int size = tree == trees.get(2) ? 10_000 : large;
            requireContent(tree, Map.of(0, value(0, size), 1, value(1, size), 2, value(2, size)));
          }
        });
  }

  /** The policy would choose the dataset of the very writer that waits. */
  @Test
  void aWriteThatLacksMemoryAsksForEveryFlush() {
    world.inEngine(
        engine -> {
          Tree own = engine.createTree("own");
          Tree other = engine.createTree("other");
          int tenth = engine.host().largestRecordBytes() / 10;
          own.put(key(0), value(0, 5 * tenth));
          other.put(key(0), value(0, 3 * tenth));
          assertThat(host.takeWanted()).containsExactlyInAnyOrder("own", "other");
          boolean[] done = {false};
          Task writer =
              sim.env().tasks().start("writer", () -> own.put(key(1), value(1, 4 * tenth)));
          Task flusher =
              sim.env()
                  .tasks()
                  .start(
                      "flusher",
                      () -> {
                        while (!done[0]) {
                          if (host.takeWanted().contains("other")) {
                            other.flush();
                          }
                          sim.env().waiter().pause(500_000);
                        }
                      });
          writer.join();
          done[0] = true;
          flusher.join();
          requireContent(own, Map.of(0, value(0, 5 * tenth), 1, value(1, 4 * tenth)));
        });
  }

  /**
   * Its value is copied late, and the tree may have another version by then, or the key another.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void scansBesideWritesShowALargeRecordWhole(int seed) {
    try (Simulation own = Simulation.seeded(seed)) {
      host.inEngine(own, config(), engine -> scanBesideWrites(own, engine.createTree("t")));
    }
  }

  private static void scanBesideWrites(Simulation sim, Tree tree) {
    int rows = 100;
    for (int i = 0; i < rows; i++) {
      tree.put(key(1000 + i), value(i, 3000));
    }
    tree.flush();
    byte[][] versions = {value(1, 300_000), value(2, 400_000), value(3, 10)};
    tree.put(key(9), versions[0]);
    Task writer =
        sim.env()
            .tasks()
            .start(
                "writer",
                () -> {
                  for (int i = 1; i < 15; i++) {
                    tree.put(key(9), versions[i % 3]);
                    if (i % 4 == 0) {
                      tree.host().undo(key(9));
                    } else if (i % 4 == 2) {
                      tree.flush();
                    }
                  }
                });
    for (int scan = 0; scan < 15; scan++) {
      int found = 0;
      try (HostCursor cursor =
          tree.host().scan(scan % 2 == 0 ? HostScan.all() : HostScan.all().reverse())) {
        while (cursor.next()) {
          found++;
          if (Arrays.equals(cursor.key(), key(9))) {
            assertThat(cursor.value()).isIn((Object[]) versions);
          }
        }
      }
      assertThat(found).isEqualTo(rows + 1);
    }
    writer.join();
  }

  /** Readers have the records of the first time: the second one needs others. */
  @Test
  void aBatchIsWrittenTwice() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          WriteBatch batch =
              new WriteBatch()
                  .put(tree, key(1), value(1, 2 << 20))
                  .put(tree, key(2), value(2, 100));
          engine.write(batch);
          tree.delete(key(2));
          engine.write(batch);
          requireContent(tree, Map.of(1, value(1, 2 << 20), 2, value(2, 100)));
          assertThat(tree.host().undo(key(2))).isTrue();
          requireContent(tree, Map.of(1, value(1, 2 << 20)));
          assertThat(tree.host().undo(key(1))).isTrue();
          requireContent(tree, Map.of(1, value(1, 2 << 20)));
          tree.flush();
          requireContent(tree, Map.of(1, value(1, 2 << 20)));
        });
  }

  private static void write(Tree tree, int bytes) {
    for (int i = 0; i < 3; i++) {
      tree.put(key(i), value(i, bytes));
    }
  }

  /** The host flushes what it is asked for; nothing else would ever give memory back. */
  private void flushWanted(Engine engine, boolean[] done) {
    while (!done[0]) {
      for (String name : host.takeWanted()) {
        engine.tree(name).flush();
      }
      sim.env().waiter().pause(500_000);
    }
  }

  @Test
  void aLoadTakesLargeRecords() {
    byte[] large = value(1, 70 << 20);
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          try (BulkLoad load = tree.bulkLoad()) {
            load.add(key(1), large);
            load.add(key(2), value(2, 100));
            load.commit();
          }
          requireContent(tree, Map.of(1, large, 2, value(2, 100)));
          tree.put(key(2), value(3, 100));
          tree.compact();
          requireContent(tree, Map.of(1, large, 2, value(3, 100)));
        });
  }
}
