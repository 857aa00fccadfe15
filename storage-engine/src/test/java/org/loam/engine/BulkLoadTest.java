package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.ClosedException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.host.HostLoad;
import org.loam.engine.notify.RecordedEvents;
import org.loam.engine.report.EventListener.LoadBegun;
import org.loam.engine.report.EventListener.LoadEnded;

/** Bulk loads: what shows when, what is refused meanwhile, and what stays of one that fails. */
@ExtendWith(QuietLog.class)
class BulkLoadTest {
  private static final int KEYS = 1000;

  private interface Body {
    void run(Simulation sim, Engine engine);
  }

  private static EngineConfig config(Durability durability) {
    return EngineSimulationTest.config(durability);
  }

  private static void inEngine(Durability durability, Body body) {
    inEngine(config(durability), OpenOptions.DEFAULT, body);
  }

  private static void inEngine(EngineConfig config, OpenOptions options, Body body) {
    try (Simulation sim = Simulation.seeded(5)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config, options)) {
              body.run(sim, engine);
              sim.faults().clear();
            }
          });
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  /** Some need pages of their own. */
  private static byte[] value(int i) {
    byte[] value = new byte[i % 50 == 7 ? 10_000 : 300];
    Arrays.fill(value, (byte) i);
    return value;
  }

  private static void add(BulkLoad load, int from, int to) {
    for (int i = from; i < to; i++) {
      load.add(key(i), value(i));
    }
  }

  private static void load(Tree tree, int keys) {
    try (BulkLoad load = tree.bulkLoad()) {
      add(load, 0, keys);
      load.commit();
    }
  }

  private static void check(Tree tree, int keys) {
    for (int i = 0; i < keys; i++) {
      assertThat(tree.get(key(i))).as("key %d", i).isEqualTo(value(i));
    }
    assertThat(tree.get(key(keys))).isNull();
    assertThat(count(tree.scan(ScanOptions.all()))).isEqualTo(keys);
    assertThat(count(tree.scan(ScanOptions.all().reverse()))).isEqualTo(keys);
  }

  private static int count(Cursor cursor) {
    try (cursor) {
      int count = 0;
      while (cursor.next()) {
        count++;
      }
      return count;
    }
  }

  private static List<Path> tables(Simulation sim) {
    return sim.disk().files().stream().filter(p -> p.toString().endsWith(".sst")).toList();
  }

  private static void refused(ThrowingCallable call, String... told) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(told);
  }

  private static void ended(BulkLoad load) {
    assertThatThrownBy(() -> load.add(key(KEYS), value(1)))
        .isExactlyInstanceOf(ClosedException.class)
        .hasMessageContainingAll("bulk load of tree 't'", "has ended");
    assertThatThrownBy(load::commit).isExactlyInstanceOf(ClosedException.class);
    load.close();
  }

  // ---- What shows.

  @ParameterizedTest
  @EnumSource(Durability.class)
  void nothingShowsBeforeTheCommitAndAllAfterIt(Durability durability) {
    inEngine(
        durability,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          engine.createTree("other").put(key(1), value(1));
          Cursor cursor = tree.scan(ScanOptions.all());
          try (Snapshot before = engine.snapshot()) {
            BulkLoad load = tree.bulkLoad();
            add(load, 0, KEYS);
            assertThat(tree.get(key(1))).isNull();
            assertThat(count(tree.scan(ScanOptions.all()))).isZero();
            // It is above everything that others write meanwhile, and what they read.
            engine.tree("other").put(key(2), value(2));
            try (Snapshot during = engine.snapshot()) {
              load.commit();
              check(tree, KEYS);
              assertThat(tree.getAll(List.of(key(3), key(KEYS)))).containsExactly(value(3), null);
              tree.put(key(1), value(7));
              tree.put(key(KEYS), value(KEYS));
              tree.compact();
              for (Snapshot old : List.of(before, during)) {
                assertThat(old.get(tree, key(1))).isNull();
                assertThat(old.get(tree, key(KEYS))).isNull();
                assertThat(count(old.scan(tree, ScanOptions.all()))).isZero();
              }
              assertThat(during.get(engine.tree("other"), key(2))).isEqualTo(value(2));
            }
            load.close();
          }
          assertThat(cursor.next()).as("an entry for an older cursor").isFalse();
          cursor.close();
          assertThat(tree.get(key(1))).isEqualTo(value(7));
          assertThat(count(tree.scan(ScanOptions.all()))).isEqualTo(KEYS + 1);
        });
  }

  @Test
  void aSnapshotKeepsWhatWasLoadedThroughWritesAndMerges() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          load(tree, KEYS);
          try (Snapshot snapshot = engine.snapshot()) {
            for (int i = 0; i < KEYS; i += 2) {
              tree.delete(key(i));
            }
            tree.compact();
            assertThat(count(tree.scan(ScanOptions.all()))).isEqualTo(KEYS / 2);
            assertThat(count(snapshot.scan(tree, ScanOptions.all()))).isEqualTo(KEYS);
            assertThat(snapshot.get(tree, key(2))).isEqualTo(value(2));
          }
        });
  }

  @Test
  void theLastLevelTakesTablesOfTheUsualSizeInOneManifestEdit() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          long forcedBefore = engine.open().storage().manifest().forcedBytes();
          load(tree, KEYS);
          assertThat(engine.open().storage().manifest().forcedBytes()).isGreaterThan(forcedBefore);
          EngineStatistics statistics = engine.statistics();
          assertThat(statistics.trees().get(0).levels()).hasSize(1);
          var level = statistics.trees().get(0).levels().get(0);
          assertThat(level.level()).isEqualTo(1);
          assertThat(level.entries()).isEqualTo(KEYS);
          // 64 KiB of leaves and values, a large value at most, filter, index and footer.
          assertThat(level.tables()).isGreaterThan(5);
          assertThat(level.bytes() / level.tables()).isBetween(64L << 10, 96L << 10);
          assertThat(statistics.work().loads()).isEqualTo(1);
          assertThat(statistics.work().loadedBytes()).isEqualTo(level.bytes());
          assertThat(statistics.work().flushes() + statistics.work().merges()).isZero();
          assertThat(engine.verify().findings()).isEmpty();
          assertThat(tables(sim)).hasSize(level.tables());
        });
  }

  @Test
  void aWriterThatLookedBeforeTheLoadDoesNotWriteAfterItUnseen() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          long seenEnd = engine.open().writes().latch().appliedEnd();
          load(tree, 10);
          assertThat(tree.lsm().flushedLsn())
              .as("what a compare-and-put looks at")
              .isGreaterThanOrEqualTo(seenEnd);
          assertThat(tree.compareAndPut(key(1), null, value(2))).isFalse();
          assertThat(tree.compareAndPut(key(1), value(1), value(2))).isTrue();
        });
  }

  @ParameterizedTest
  @EnumSource(CrashKind.class)
  void replayOfOlderWritesDoesNotTouchWhatWasLoaded(CrashKind kind) {
    try (Simulation sim = Simulation.seeded(6)) {
      boolean ended =
          sim.run(
              () -> {
                Engine engine = Engine.open(sim.env(), sim.directory(), config(Durability.SYNC));
                engine.createTree("other").put(key(0), value(0));
                Tree tree = engine.createTree("t");
                tree.put(key(1), value(9));
                tree.put(key(KEYS + 1), value(9));
                tree.delete(key(1));
                tree.delete(key(KEYS + 1));
                tree.compact();
                load(tree, KEYS);
                tree.put(key(KEYS), value(KEYS));
                sim.crash(kind);
              });
      assertThat(ended).isFalse();
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config(Durability.SYNC))) {
              assertThat(engine.recovery().replayedFrames()).isPositive();
              check(engine.tree("t"), KEYS + 1);
              assertThat(engine.tree("other").get(key(0))).isEqualTo(value(0));
              assertThat(engine.verify().findings()).isEmpty();
            }
          });
    }
  }

  @Test
  void aCommitForcesTheLogUpToTheLsnOfTheEntries() {
    for (long seed = 0; seed < 10; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(
            () -> {
              Engine engine = Engine.open(sim.env(), sim.directory(), config(Durability.PROCESS));
              Tree other = engine.createTree("other");
              for (int i = 0; i < 20; i++) {
                other.put(key(i), value(1));
              }
              load(engine.createTree("t"), 10);
              sim.crash(CrashKind.POWER_LOSS);
            });
        sim.run(
            () -> {
              try (Engine engine =
                  Engine.open(sim.env(), sim.directory(), config(Durability.PROCESS))) {
                check(engine.tree("t"), 10);
              }
            });
      }
    }
  }

  @Test
  void aDatabaseBelowAHostLogKeepsALoadWithoutAFlush() {
    SimulatedHost host = new SimulatedHost(new Random(1));
    try (Simulation sim = Simulation.seeded(7)) {
      for (int life = 0; life < 2; life++) {
        boolean first = life == 0;
        sim.run(
            () -> {
              Engine engine = host.open(sim, config(Durability.SYNC));
              if (!first) {
                check(engine.tree("t"), KEYS);
                engine.close();
                return;
              }
              Tree tree = engine.createTree("t");
              try (Snapshot before = engine.snapshot()) {
                load(tree, KEYS);
                // The host's log has not grown, and still it is later.
                assertThat(before.get(tree, key(1))).isNull();
              }
              tree.put(key(1), value(2));
              assertThat(tree.host().undo(key(1))).isTrue();
              assertThat(tree.host().undo(key(1))).as("undo of what was loaded").isFalse();
              check(tree, KEYS);
              sim.crash(CrashKind.POWER_LOSS);
            });
      }
    }
  }

  // ---- What is refused.

  @Test
  void keysMustAscend() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          try (BulkLoad load = tree.bulkLoad()) {
            load.add(new byte[0], value(0));
            load.add(key(5), value(5));
            for (byte[] wrong : List.of(key(5), key(4), new byte[0])) {
              assertThatThrownBy(() -> load.add(wrong, value(1)))
                  .isExactlyInstanceOf(IllegalArgumentException.class)
                  .hasMessageContainingAll("must be above", "'key00005'", "ascending");
            }
            assertThatThrownBy(() -> load.add(key(4), value(4))).hasMessageContaining("'key00004'");
            assertThatThrownBy(() -> load.add(new byte[1025], value(4)))
                .hasMessageContainingAll("1025 bytes", "at most 1024");
            assertThatThrownBy(() -> load.add(key(6), new byte[(32 << 20) + 1]))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 33554432");
            assertThatThrownBy(() -> load.add(key(6), null)).hasMessageContaining("value is null");
            assertThatThrownBy(() -> load.add(null, value(1))).hasMessageContaining("key is null");
            // Bytes are unsigned: this is above.
            load.add(new byte[] {(byte) 0x80}, value(6));
            load.commit();
          }
          assertThat(count(tree.scan(ScanOptions.all()))).isEqualTo(3);
          assertThat(tree.get(new byte[0])).isEqualTo(value(0));
          assertThat(tree.get(new byte[] {(byte) 0x80})).isEqualTo(value(6));
        });
  }

  @Test
  void onlyAnEmptyTreeIsLoaded() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          String[] told = {"tree 't' has entries", "create another tree", "compact"};
          tree.put(key(1), value(1));
          refused(tree::bulkLoad, told);
          tree.flush();
          refused(tree::bulkLoad, told);
          tree.delete(key(1));
          refused(tree::bulkLoad, told);
          tree.compact();
          load(tree, KEYS);
          check(tree, KEYS);
          refused(tree::bulkLoad, told);
          tree.put(key(KEYS), value(KEYS));
          check(tree, KEYS + 1);
        });
  }

  /** The last level has both the entry and its anti-matter after the first compaction. */
  @Test
  void aTreeIsEmptyIfItIsCompactedOnceMoreAfterASnapshot() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          tree.put(key(1), value(1));
          try (Snapshot snapshot = engine.snapshot()) {
            tree.delete(key(1));
            tree.compact();
            assertThat(snapshot.get(tree, key(1))).isEqualTo(value(1));
            refused(tree::bulkLoad, "tree 't' has entries", "compact");
          }
          tree.compact();
          assertThat(tables(sim)).isEmpty();
          load(tree, KEYS);
          check(tree, KEYS);
        });
  }

  @Test
  void aTreeThatIsLoadedTakesNoWrites() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          Tree other = engine.createTree("other");
          BulkLoad load = tree.bulkLoad();
          String[] told = {"tree 't' is being loaded", "committed or closed"};
          refused(() -> tree.put(key(1), value(1)), told);
          refused(() -> tree.delete(key(1)), told);
          refused(() -> tree.compareAndPut(key(1), null, value(1)), told);
          WriteBatch both =
              new WriteBatch().put(other, key(1), value(1)).put(tree, key(1), value(1));
          refused(() -> engine.write(both), told);
          refused(tree::bulkLoad, told);
          assertThat(other.get(key(1))).isNull();
          tree.flush();
          tree.compact();
          load.add(key(3), value(3));
          load.close();
          assertThat(tree.get(key(3))).isNull();
          engine.write(both);
          assertThat(tree.get(key(1))).isEqualTo(value(1));
          ended(load);
        });
  }

  @Test
  void asManyLoadsAreOpenAsThereAreBuffersFor() {
    inEngine(
        config(Durability.SYNC).toBuilder().bulkLoads(2).build(),
        OpenOptions.DEFAULT,
        (sim, engine) -> {
          Tree first = engine.createTree("t");
          Tree second = engine.createTree("u");
          Tree third = engine.createTree("v");
          BulkLoad one = first.bulkLoad();
          BulkLoad two = second.bulkLoad();
          refused(third::bulkLoad, "write.bulkLoads: 2", "commit or close one");
          assertThat(third.host().tryBulkLoad()).as("a load without buffers").isNull();
          third.put(key(1), value(1));
          add(one, 0, 100);
          add(two, 0, 200);
          two.commit();
          one.commit();
          check(first, 100);
          check(second, 200);
        });
  }

  @Test
  void aCallerThatHasAnotherWayIsToldWithoutAFault() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          tree.put(key(1), value(1));
          tree.delete(key(1));
          assertThat(tree.host().tryBulkLoad()).as("a load of a tree with anti-matter").isNull();
          tree.compact();
          HostLoad load = tree.host().tryBulkLoad();
          assertThat(load).isNotNull();
          refused(tree.host()::tryBulkLoad, "tree 't' is being loaded");
          for (int i = 0; i < KEYS; i++) {
            load.add(key(i), value(i));
          }
          load.commit();
          check(tree, KEYS);
          engine.dropTree("t");
          assertThatThrownBy(tree.host()::tryBulkLoad).isExactlyInstanceOf(ClosedException.class);
        });
  }

  // ---- What stays of one that fails.

  @Test
  void withoutACommitNothingStays() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          long pages = engine.statistics().memory().cacheUsedBytes();
          try (BulkLoad load = tree.bulkLoad()) {
            add(load, 0, KEYS);
            assertThat(tables(sim)).hasSizeGreaterThan(5);
          }
          assertThat(tables(sim)).isEmpty();
          assertThat(engine.statistics().memory().cacheUsedBytes()).isEqualTo(pages);
          try (BulkLoad empty = tree.bulkLoad()) {
            empty.commit();
            ended(empty);
          }
          assertThat(engine.statistics().work().loads()).isZero();
          load(tree, 10);
          check(tree, 10);
        });
  }

  @Test
  void dropOfTheTreeAndCloseOfTheEngineEndIt() {
    try (Simulation sim = Simulation.seeded(5)) {
      sim.run(
          () -> {
            Engine engine = Engine.open(sim.env(), sim.directory(), config(Durability.SYNC));
            Tree dropped = engine.createTree("t");
            BulkLoad one = dropped.bulkLoad();
            add(one, 0, KEYS);
            engine.dropTree("t");
            assertThatThrownBy(one::commit)
                .isExactlyInstanceOf(ClosedException.class)
                .hasMessageContaining("tree 't' was dropped");
            assertThat(tables(sim)).isEmpty();
            one.close();
            Tree open = engine.createTree("t");
            BulkLoad two = open.bulkLoad();
            add(two, 0, KEYS);
            assertThat(tables(sim)).isNotEmpty();
            engine.close();
            assertThat(tables(sim)).isEmpty();
            assertThatThrownBy(() -> two.add(key(KEYS), value(1)))
                .isExactlyInstanceOf(ClosedException.class)
                .hasMessageContaining("engine was closed");
            assertThatThrownBy(two::commit).isExactlyInstanceOf(ClosedException.class);
            two.close();
          });
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
  }

  @Test
  void aFullDiskEndsTheLoadAndNothingElse() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          Tree other = engine.createTree("other");
          other.put(key(1), value(1));
          sim.disk().capacityBytes(sim.disk().usedBytes() + (300 << 10));
          BulkLoad load = tree.bulkLoad();
          DiskFullException e =
              catchThrowableOfType(DiskFullException.class, () -> add(load, 0, KEYS));
          assertThat(e.neededBytes()).isGreaterThan(e.freeBytes());
          assertThat(e.freeBytes()).isNotNegative();
          assertThat(tables(sim)).isEmpty();
          ended(load);
          other.put(key(2), value(2));
          tree.put(key(1), value(3));
          assertThat(tree.get(key(1))).isEqualTo(value(3));
        });
  }

  @Test
  void anEngineThatRefusesWritesForLackOfSpaceBeginsNoLoad() {
    inEngine(
        Durability.SYNC,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          BulkLoad load = tree.bulkLoad();
          sim.disk().capacityBytes(sim.disk().usedBytes() + 1000);
          engine
              .open()
              .writes()
              .space()
              .foundFull(new DiskFullException("a flush found it", 10, 0));
          assertThatThrownBy(() -> engine.createTree("u").bulkLoad())
              .isExactlyInstanceOf(DiskFullException.class);
          assertThatThrownBy(() -> load.add(key(1), value(1)))
              .isExactlyInstanceOf(DiskFullException.class)
              .hasMessageContaining("bytes needed");
          assertThat(tables(sim)).isEmpty();
          sim.disk().capacityBytes(Long.MAX_VALUE);
          load(tree, 10);
          check(tree, 10);
        });
  }

  @Test
  void afterAFenceAtTheCommitReopeningTells() {
    Set<Integer> outcomes = new TreeSet<>();
    for (long seed = 0; seed < 20; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(() -> failAtTheEdit(sim));
        assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
        sim.run(
            () -> {
              try (Engine engine =
                  Engine.open(sim.env(), sim.directory(), config(Durability.SYNC))) {
                Tree tree = engine.tree("t");
                int keys = count(tree.scan(ScanOptions.all()));
                check(tree, keys);
                assertThat(tables(sim).isEmpty()).isEqualTo(keys == 0);
                outcomes.add(keys);
              }
            });
      }
    }
    assertThat(outcomes).containsExactly(0, KEYS);
  }

  private static void failAtTheEdit(Simulation sim) {
    Engine engine = Engine.open(sim.env(), sim.directory(), config(Durability.SYNC));
    Tree tree = engine.createTree("t");
    BulkLoad load = tree.bulkLoad();
    add(load, 0, KEYS);
    sim.faults()
        .add(
            Fault.of(FaultEffect.IO_ERROR)
                .on(IoKind.FORCE)
                .onPath(p -> p.toString().contains("manifest-")));
    assertThatThrownBy(load::commit).isExactlyInstanceOf(FencedException.class);
    assertThat(tree.get(key(1))).isNull();
    assertThat(tables(sim)).as("files that may count").isNotEmpty();
    ended(load);
    engine.close();
  }

  @Test
  void listenersAreTold() {
    RecordedEvents events = new RecordedEvents();
    inEngine(
        config(Durability.SYNC),
        OpenOptions.DEFAULT.withListener(events),
        (sim, engine) -> {
          load(engine.createTree("t"), KEYS);
          engine.createTree("u").bulkLoad().close();
        });
    List<LoadEnded> ended = events.all(LoadEnded.class);
    assertThat(ended).extracting(LoadEnded::installed).containsExactly(true, false);
    assertThat(ended.get(0).entries()).isEqualTo(KEYS);
    assertThat(ended.get(0).tables()).isGreaterThan(5);
    assertThat(ended.get(0).bytes()).isGreaterThan(ended.get(0).tables() * (64L << 10));
    assertThat(ended.get(1).tables()).isZero();
    assertThat(events.all(LoadBegun.class)).extracting(LoadBegun::tree).containsExactly("t", "u");
    events.checkPairs();
  }

  @Test
  void aLoadKeepsToTheLimitOfTheRate() {
    inEngine(
        config(Durability.SYNC).toBuilder().ioLimitBytesPerSecond(4 << 20).build(),
        OpenOptions.DEFAULT,
        (sim, engine) -> {
          Tree tree = engine.createTree("t");
          long begin = sim.env().clock().nanoTime();
          load(tree, 4 * KEYS);
          long nanos = sim.env().clock().nanoTime() - begin;
          long bytes = engine.statistics().work().loadedBytes();
          // In the simulation time passes by waiting; all but the last quantum and the burst.
          assertThat(nanos).isGreaterThan((bytes - (400L << 10)) * 1_000_000_000L / (4 << 20));
        });
  }
}
