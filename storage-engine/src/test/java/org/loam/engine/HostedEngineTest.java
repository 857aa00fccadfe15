package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.mem.Epochs;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.manifest.DatabaseIdentity;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestState;

/** An engine below the log of a host. */
class HostedEngineTest {
  @RegisterExtension private final HostedSimulation world = new HostedSimulation(config());

  private final SimulatedHost host = world.host();
  private final Simulation sim = world.sim();

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static EngineConfig config() {
    return EngineSimulationTest.config(Durability.SYNC);
  }

  private Engine open() {
    return host.open(sim, config());
  }

  @Test
  void whatWasFlushedIsAllThatSurvives() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          tree.put(bytes("a"), bytes("1"));
          tree.put(bytes("b"), bytes("1"));
          long flush = tree.host().beginFlush();
          tree.put(bytes("b"), bytes("2"));
          tree.host().awaitFlushed(flush);
          assertThat(tree.get(bytes("b"))).isEqualTo(bytes("2"));
        });
    world.inEngine(
        engine -> {
          assertThat(engine.recovery().cleanlyClosed()).isTrue();
          assertThat(engine.recovery().replayedFrames()).isZero();
          Tree tree = engine.tree("t");
          assertThat(tree.get(bytes("a"))).isEqualTo(bytes("1"));
          assertThat(tree.get(bytes("b"))).isEqualTo(bytes("1"));
          // Newer than what is on disk, wherever the host's log ends.
          tree.put(bytes("b"), bytes("3"));
          assertThat(tree.get(bytes("b"))).isEqualTo(bytes("3"));
          tree.flush();
          assertThat(tree.get(bytes("b"))).isEqualTo(bytes("3"));
        });
  }

  /** A log that is not the engine's is not the engine's to truncate: flush workers rest. */
  @Test
  void aLongLogOfTheHostKeepsNoWorkerBusy() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          tree.put(bytes("a"), bytes("1"));
          tree.flush();
          host.keep(config().log().maxBytes());
          engine.createTree("u").put(bytes("a"), bytes("1"));
          engine.flush();
          int looks = host.lengthLooks();
          sim.env().waiter().pause(1_000_000_000L);
          assertThat(host.lengthLooks() - looks).isLessThan(10);
        });
  }

  /** Databases of earlier builds have no bit; a build that does not know it refuses them then. */
  @Test
  void anOlderBuildRefusesADatabaseFromTheFirstOpeningOn() {
    sim.run(
        () -> {
          DatabaseIdentity earlier =
              new DatabaseIdentity(1, config().memory().pageBytes(), DatabaseIdentity.HOST_LOG);
          try (Manifest manifest = Manifest.create(sim.env(), sim.directory(), earlier)) {
            manifest.start();
          }
        });
    for (int opening = 0; opening < 2; opening++) {
      world.inEngine(engine -> assertThat(engine.trees()).isEmpty());
      sim.run(
          () -> {
            try (Manifest manifest = Manifest.open(sim.env(), sim.directory())) {
              assertThat(manifest.read(ManifestState::identity).featureBits())
                  .isEqualTo(DatabaseIdentity.HOST_LOG | DatabaseIdentity.HOST_VALUES);
            }
          });
    }
  }

  @Test
  void thereIsNoLogOfTheEngines() {
    world.inEngine(
        engine -> {
          EngineStatistics.Log before = engine.statistics().log();
          engine.createTree("t").put(bytes("a"), bytes("1"));
          assertThat(sim.env().files().exists(sim.directory().resolve("log"))).isFalse();
          EngineStatistics.Log after = engine.statistics().log();
          assertThat(after.lengthBytes()).isEqualTo(host.lengthBytes());
          assertThat(after.writtenBytes() - before.writtenBytes())
              .isPositive()
              .isEqualTo(after.endLsn() - before.endLsn());
        });
  }

  @Test
  void memoryIsNotFlushedBeforeTheHostSaysSo() {
    world.inEngine(
        engine -> {
          Tree small = engine.createTree("small");
          Tree large = engine.createTree("large");
          small.put(bytes("a"), bytes("1"));
          for (int i = 0; !host.isShort(); i++) {
            assertThat(i).isLessThan(1000);
            large.put(bytes("key" + i), new byte[1000]);
          }
          assertThat(host.takeWanted()).containsExactly("large");
          engine.host().relieveWriteMemory();
          assertThat(host.takeWanted()).containsExactly("large");
          assertThat(choices(engine)).containsExactly("MEMORY FULL large 0");
          assertThat(engine.statistics().work().flushes()).isZero();
          large.flush();
          assertThat(engine.statistics().work().flushes()).isEqualTo(1);
          assertThat(choices(engine)).containsExactly("MEMORY FULL large 0", "USER ALL large 0");
        });
  }

  @Test
  void aCompactionLeavesWhatTheHostMayTakeBack() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          for (String value : List.of("1", "2")) {
            tree.put(bytes("a"), bytes(value));
            tree.flush();
          }
          tree.put(bytes("a"), bytes("3"));
          tree.compact();
          assertThat(engine.statistics().work().flushes()).isEqualTo(2);
          assertThat(tree.host().undo(bytes("a"))).isTrue();
          assertThat(tree.get(bytes("a"))).isEqualTo(bytes("2"));
        });
  }

  /**
   * The policy compares datasets, not trees, and what goes with a tree counts: an index with little
   * in it goes with its records, and the larger tree of another dataset stays.
   */
  @Test
  void treesThatTheHostFlushesTogetherAreWantedTogether() {
    world.inEngine(
        engine -> {
          Tree records = engine.createTree("sales/records");
          Tree index = engine.createTree("sales/index");
          engine.createTree("sales/unused");
          Tree other = engine.createTree("stock/records");
          put(records, 12);
          put(index, 9);
          put(other, 15);
          engine.host().relieveWriteMemory();
          assertThat(host.takeWanted()).containsExactlyInAnyOrder("sales/records", "sales/index");
          assertThat(choices(engine))
              .containsExactly("MEMORY OPTIMAL sales/records 0", "MEMORY OPTIMAL sales/index 0");
        });
  }

  private static void put(Tree tree, int records) {
    for (int i = 0; i < records; i++) {
      tree.put(bytes("key" + i), new byte[1000]);
    }
  }

  /** The host is asked again and again; that is one choice until it has the tree flushed. */
  private static List<String> choices(Engine engine) {
    return engine.flushChoices().stream()
        .map(
            choice ->
                String.format(
                    "%s %s %s %d",
                    choice.cause(), choice.rule(), choice.chosen().tree(), choice.chosen().range()))
        .toList();
  }

  /** A host that keeps writers out while memory is short waits for it, and no write comes. */
  @Test
  void memoryThatWasReadWhileItWasFlushedIsFreeForAWriterThatLooksForIt() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          tree.put(bytes("a"), new byte[1000]);
          Epochs readers = engine.open().memory().memoryEpochs();
          int reader = readers.enter();
          tree.flush();
          double fill = engine.host().writeMemoryFill();
          readers.exit(reader);
          assertThat(engine.host().writeMemoryFill()).isEqualTo(fill);
          engine.host().relieveWriteMemory();
          assertThat(engine.host().writeMemoryFill()).isLessThan(fill);
        });
  }

  @Test
  void aLongLogOfTheHostWantsTheTreeWithTheOldestWrite() {
    world.inEngine(
        engine -> {
          Tree old = engine.createTree("old");
          Tree busy = engine.createTree("busy");
          old.put(bytes("a"), bytes("1"));
          for (int n = 0; !host.isShort(); n++) {
            assertThat(n).isLessThan(1000);
            for (int i = 0; i < 1000; i++) {
              host.commit(1);
            }
            busy.put(bytes("b"), bytes("1"));
          }
          assertThat(host.takeWanted()).containsExactly("old");
          assertThat(host.lengthBytes()).isLessThan(config().log().maxBytes());
        });
  }

  @Test
  void onlyAHostOpensWhatAHostCreated() {
    sim.run(() -> open().close());
    sim.run(
        () ->
            assertThatThrownBy(() -> Engine.open(sim.env(), sim.directory(), config()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                    "the database in "
                        + sim.directory()
                        + " was created below the log of a host, and only that host can open it"));
  }

  @Test
  void noHostOpensADatabaseThatHasALog() {
    sim.run(() -> Engine.open(sim.env(), sim.directory(), config()).close());
    sim.run(
        () ->
            assertThatThrownBy(this::open)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                    "the database in "
                        + sim.directory()
                        + " has a log of its own, so it cannot be opened below the log of a host;"
                        + " name another directory"));
  }

  @Test
  void committedWritesSurviveAndOthersNever() {
    HostedRun.Totals totals = new HostedRun.Totals();
    for (long seed = 1; seed <= 36; seed++) {
      new HostedRun(seed, totals).run(6);
    }
    assertThat(totals.crashes).isGreaterThan(60);
    assertThat(totals.commits).isGreaterThan(500);
    assertThat(totals.rollbacks).isGreaterThan(150);
    assertThat(totals.flushes).isGreaterThan(150);
    assertThat(totals.redone).isGreaterThan(100);
    assertThat(totals.skipped).isGreaterThan(100);
    assertThat(totals.redoneTwice).isGreaterThan(10);
    // Whether the cache lends depends on the schedule: eight times 30 seeds had 61 to 107.
    assertThat(totals.lent).isGreaterThan(50);
    assertThat(totals.halfFlushed).isGreaterThan(5);
    assertThat(totals.moves).isGreaterThan(100);
    assertThat(totals.schemes).containsExactly(WriteScheme.values());
  }

  /** Its read LSN is less than that of every write. */
  @Test
  void aSnapshotBelowAnEmptyLogDoesNotShowTheFirstWrite() {
    host.endAt(0);
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          try (Snapshot before = engine.snapshot()) {
            tree.put(bytes("a"), bytes("1"));
            assertThat(before.get(tree, bytes("a"))).isNull();
            assertThat(tree.get(bytes("a"))).isEqualTo(bytes("1"));
            tree.flush();
            assertThat(before.get(tree, bytes("a"))).isNull();
          }
        });
  }

  @Test
  void undoGivesBackWhatWasBefore() {
    world.inEngine(
        engine -> {
          Tree tree = engine.createTree("t");
          byte[] key = bytes("a");
          tree.put(key, bytes("1"));
          tree.flush();
          assertThat(tree.host().undo(key)).isFalse();
          tree.delete(key);
          tree.put(key, bytes("2"));
          tree.put(key, bytes("3"));
          Snapshot before = engine.snapshot();
          assertThat(tree.host().undo(key)).isTrue();
          assertThat(tree.get(key)).isEqualTo(bytes("2"));
          assertThat(tree.host().undo(key)).isTrue();
          assertThat(tree.get(key)).isNull();
          assertThat(before.get(tree, key)).isNull();
          before.close();
          assertThat(tree.host().undo(key)).isTrue();
          assertThat(tree.get(key)).isEqualTo(bytes("1"));
          assertThat(tree.host().undo(key)).isFalse();
        });
  }

  @Test
  void anEngineWithALogOfItsOwnUndoesNothing() {
    sim.run(
        () -> {
          try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
            Tree tree = engine.createTree("t");
            assertThatThrownBy(() -> tree.host().undo(bytes("a")))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("undo is for engines below the log of a host; this one has its own");
          }
        });
  }

  @Test
  void aCrashOfTheHostIsNoCloseInOrder() {
    sim.run(
        () -> {
          Tree tree = open().createTree("t");
          tree.put(bytes("a"), bytes("1"));
          sim.crash(CrashKind.PROCESS_DEATH);
        });
    world.inEngine(
        engine -> {
          assertThat(engine.recovery().cleanlyClosed()).isFalse();
          assertThat(engine.tree("t").get(bytes("a"))).isNull();
        });
  }
}
