package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.EngineConfigBuilder;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.InUseException;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.operation.Closing;
import org.loam.engine.report.CheckpointReport;
import org.loam.log.CommitLog;
import org.loam.scheduler.work.StallCause;

/** What a checkpoint has, what it shares with its database, and where none is made. */
@Tag("once")
@ExtendWith(QuietLog.class)
class CheckpointTest {
  private static final Path TARGET = Path.of("/backup/friday");
  private static final int KEYS = 400;

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static byte[] value(int i, int round) {
    byte[] value = new byte[i % 50 == 7 ? 9000 : 200];
    Arrays.fill(value, (byte) (i + round));
    return value;
  }

  private static Engine open(Simulation sim, Path directory) {
    return Engine.open(sim.env(), directory, EngineSimulationTest.config(Durability.PROCESS));
  }

  /** Puts all keys into a tree: half of them are in tables then, and the rest in the log. */
  private static Tree fill(Engine engine, int round) {
    Tree tree = engine.hasTree("t") ? engine.tree("t") : engine.createTree("t");
    for (int i = 0; i < KEYS; i++) {
      tree.put(key(i), value(i, round));
      if (i == KEYS / 2) {
        tree.flush();
      }
    }
    return tree;
  }

  private static void requireAll(Engine engine, int round) {
    int found = 0;
    try (Cursor cursor = engine.tree("t").scan(ScanOptions.all())) {
      while (cursor.next()) {
        assertThat(cursor.key()).isEqualTo(key(found));
        assertThat(cursor.value()).isEqualTo(value(found, round));
        found++;
      }
    }
    assertThat(found).isEqualTo(KEYS);
    assertThat(engine.verify().findings()).isEmpty();
  }

  private static void simulated(long seed, Consumer<Simulation> body) {
    try (Simulation sim = Simulation.seeded(seed)) {
      sim.run(() -> body.accept(sim));
      assertThat(sim.liveBytes()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(CrashKind.class)
  void aCheckpointHasAllThatWasWrittenAndSurvives(CrashKind kind) {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            Engine engine = open(sim, sim.directory());
            fill(engine, 0);
            CheckpointReport report = engine.checkpoint(TARGET);
            assertThat(report.directory()).isEqualTo(TARGET.toString());
            assertThat(report.linkedTables()).isPositive();
            assertThat(report.linkedBytes()).isPositive();
            assertThat(report.copiedTables()).isZero();
            assertThat(report.copiedBytes()).isZero();
            assertThat(report.logBytes()).isBetween(1L, 256L << 10);
            assertThat(report.nanos()).isPositive();
            fill(engine, 1);
            sim.crash(kind);
          });
      sim.run(
          () -> {
            try (Engine engine = open(sim, TARGET)) {
              requireAll(engine, 0);
              assertThat(engine.recovery().cut()).isNull();
              assertThat(engine.recovery().orphansDeleted()).isZero();
            }
          });
    }
  }

  /** Each of both may write, merge and drop what it likes: tables are never written in place. */
  @Test
  void whatIsDoneToOneIsNotDoneToTheOther() {
    simulated(
        2,
        sim -> {
          try (Engine engine = open(sim, sim.directory())) {
            fill(engine, 0);
            engine.checkpoint(TARGET);
            try (Engine copy = open(sim, TARGET)) {
              fill(copy, 1);
              copy.tree("t").compact();
              copy.checkpoint(Path.of("/backup/saturday"));
              requireAll(engine, 0);
              fill(engine, 2);
              engine.tree("t").compact();
              requireAll(copy, 1);
              copy.dropTree("t");
            }
            requireAll(engine, 2);
            engine.dropTree("t");
          }
          try (Engine second = open(sim, Path.of("/backup/saturday"))) {
            requireAll(second, 1);
            second.checkpoint(Path.of("/backup/sunday"));
          }
          try (Engine third = open(sim, Path.of("/backup/sunday"))) {
            requireAll(third, 1);
          }
        });
  }

  /** Opening settles it: from then on it is a database as any other, and closes in order. */
  @Test
  void anOpenedCheckpointIsADatabaseOfItsOwn() {
    simulated(
        3,
        sim -> {
          try (Engine engine = open(sim, sim.directory())) {
            fill(engine, 0);
            engine.checkpoint(TARGET);
          }
          for (int i = 0; i < 3; i++) {
            try (Engine copy = open(sim, TARGET)) {
              assertThat(copy.recovery().created()).isFalse();
              assertThat(copy.recovery().cleanlyClosed()).isEqualTo(i > 0);
              requireAll(copy, 0);
              copy.createTree("tree " + i).put(key(i), value(i, 0));
            }
          }
        });
  }

  @Test
  void datasetsAndTheirIndexesAreThere() {
    simulated(
        4,
        sim -> {
          try (Engine engine = open(sim, sim.directory())) {
            Dataset orders =
                engine.datasets().create(Orders.NAME, Orders.RULE, List.of(Orders.BY_COUNTRY));
            for (int i = 0; i < KEYS; i++) {
              orders.upsert(Orders.key("order" + i), Orders.bytes("N" + i % 9 + ";" + i + ";;"));
            }
            orders.createIndex(Orders.BY_AMOUNT);
            engine.checkpoint(TARGET);
          }
          try (Engine copy = open(sim, TARGET)) {
            List<org.loam.lsm.dataset.IndexDefinition> indexes =
                List.of(Orders.BY_COUNTRY, Orders.BY_AMOUNT);
            Dataset orders = copy.datasets().open(Orders.NAME, Orders.RULE, indexes);
            assertThat(Orders.verify(orders, indexes)).isEqualTo(2 * KEYS);
          }
        });
  }

  @Test
  void anEmptyDatabaseHasACheckpoint() {
    simulated(
        5,
        sim -> {
          try (Engine engine = open(sim, sim.directory())) {
            engine.checkpoint(TARGET);
            assertThat(engine.trees()).isEmpty();
          }
          try (Engine copy = open(sim, TARGET)) {
            assertThat(copy.recovery().created()).isFalse();
            assertThat(copy.trees()).isEmpty();
          }
        });
  }

  /** The log of a checkpoint was whole when it was made: what is damaged later is no torn tail. */
  @Test
  void damageInTheLastFrameOfItsLogIsFound() {
    simulated(
        6,
        sim -> {
          try (Engine engine = open(sim, sim.directory())) {
            engine.createTree("t").put(key(1), value(0x77, 0));
            engine.checkpoint(TARGET);
          }
          Path segment =
              sim.disk().files().stream()
                  .filter(file -> file.startsWith(TARGET.resolve("log")))
                  .reduce((first, second) -> second)
                  .orElseThrow();
          byte[] bytes = sim.disk().read(segment);
          int at = bytes.length - 1;
          while (bytes[at] != 0x77) {
            at--;
          }
          sim.disk().flip(segment, at, 1);
          assertThatThrownBy(() -> open(sim, TARGET))
              .isInstanceOf(CorruptionException.class)
              .hasMessageContaining(segment.toString());
          sim.disk().flip(segment, at, 1);
          open(sim, TARGET).close();
        });
  }

  // ---- Where tables cannot be linked, and where there is no room.

  @Test
  void tablesThatCannotBeLinkedAreCopied() {
    simulated(
        7,
        sim -> {
          try (Engine engine = open(sim, sim.directory())) {
            fill(engine, 0);
            sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.LINK).asSticky());
            CheckpointReport report = engine.checkpoint(TARGET);
            sim.faults().clear();
            assertThat(report.linkedTables()).isZero();
            assertThat(report.copiedTables()).isPositive();
            assertThat(report.copiedBytes()).isPositive();
          }
          try (Engine copy = open(sim, TARGET)) {
            requireAll(copy, 0);
          }
        });
  }

  private static long nanosAtOneMib(long bytes) {
    return bytes * 1_000_000_000 >> 20;
  }

  /** Each byte is read and written; the burst of the limiter and one piece come at once. */
  @Test
  void copiesOfTablesAreLimited() {
    simulated(
        18,
        sim -> {
          try (Engine engine = open(sim, sim.directory())) {
            fill(engine, 0);
            engine.tree("t").compact();
            engine.configure("io.limitBytesPerSecond", "1MiB");
            sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.LINK).asSticky());
            CheckpointReport report = engine.checkpoint(TARGET);
            sim.faults().clear();
            long bytes = 2 * report.copiedBytes();
            assertThat(bytes).isGreaterThan(400 << 10);
            assertThat(report.nanos())
                .isBetween(nanosAtOneMib(bytes - (150 << 10)), nanosAtOneMib(bytes + (100 << 10)));
          }
          try (Engine copy = open(sim, TARGET)) {
            requireAll(copy, 0);
          }
        });
  }

  @Test
  void aFullDiskLeavesNothingAndTheNextAttemptSucceeds() {
    simulated(
        8,
        sim -> {
          try (Engine engine = open(sim, sim.directory())) {
            fill(engine, 0);
            sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.LINK).asSticky());
            long used = sim.disk().usedBytes();
            long capacity = sim.disk().capacityBytes();
            for (long room = 0; room < 300 << 10; room += 40 << 10) {
              sim.disk().capacityBytes(used + room);
              long enough = room;
              assertThatThrownBy(() -> engine.checkpoint(TARGET))
                  .as("%d bytes", enough)
                  .isInstanceOf(DiskFullException.class);
              requireNothingIn(sim, TARGET);
            }
            sim.disk().capacityBytes(capacity);
            engine.checkpoint(TARGET);
            engine.tree("t").put(key(0), value(0, 0));
          }
          try (Engine copy = open(sim, TARGET)) {
            requireAll(copy, 0);
          }
        });
  }

  static void requireNothingIn(Simulation sim, Path target) {
    if (sim.env().files().exists(target)) {
      assertThat(sim.env().files().list(target)).isSubsetOf("lock");
    }
  }

  // ---- Refusals.

  @Test
  void aDirectoryThatIsNotFreeIsRefusedByName() {
    simulated(
        9,
        sim -> {
          try (Engine engine = open(sim, sim.directory())) {
            fill(engine, 0);
            engine.checkpoint(TARGET);
            List<Path> before = sim.disk().files();
            assertThatThrownBy(() -> engine.checkpoint(TARGET))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(TARGET.toString(), "not empty", "current");
            for (Path inside : List.of(sim.directory(), sim.directory().resolve("backup/a"))) {
              assertThatThrownBy(() -> engine.checkpoint(inside))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContainingAll(inside.toString(), "in a directory of the database");
            }
            assertThat(sim.disk().files()).isEqualTo(before);
            Path taken = Path.of("/backup/taken");
            sim.env().files().createDirectories(taken);
            try (DirectoryLock lock = sim.env().files().lock(taken.resolve("lock"))) {
              assertThatThrownBy(() -> engine.checkpoint(taken)).isInstanceOf(InUseException.class);
            }
            engine.checkpoint(taken);
          }
        });
  }

  @Test
  void aDatabaseBelowAHostIsRefused() {
    simulated(
        11,
        sim -> {
          SimulatedHost host = new SimulatedHost(new Random(1));
          try (Engine engine = host.open(sim, EngineSimulationTest.config(Durability.PROCESS))) {
            assertThatThrownBy(() -> engine.checkpoint(TARGET))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("below the log of a host");
            assertThat(sim.env().files().exists(TARGET)).isFalse();
          }
        });
  }

  @Test
  void aClosedEngineMakesNone() {
    simulated(
        12,
        sim -> {
          Engine engine = open(sim, sim.directory());
          engine.close();
          assertThatThrownBy(() -> engine.checkpoint(TARGET)).isInstanceOf(ClosedException.class);
          assertThat(sim.env().files().exists(TARGET)).isFalse();
        });
  }

  /** The close comes at any place of the checkpoint: it is whole then, or there is none. */
  @Test
  void aCloseEndsACheckpoint() {
    int ended = 0;
    for (long seed = 0; seed < 40; seed++) {
      boolean[] whole = new boolean[1];
      try (Simulation sim = Simulation.seeded(seed)) {
        Engine[] engine = new Engine[1];
        sim.run(
            () -> {
              engine[0] = open(sim, sim.directory());
              fill(engine[0], 0);
            });
        long pause = seed * 150_000;
        sim.run(
            () -> {
              try {
                engine[0].checkpoint(TARGET);
                whole[0] = true;
              } catch (ClosedException e) {
                requireNothingIn(sim, TARGET);
              }
            },
            () -> {
              sim.env().waiter().pause(pause);
              engine[0].close();
            });
        ended += whole[0] ? 0 : 1;
        sim.run(
            () -> {
              try (Engine again = open(sim, sim.directory())) {
                requireAll(again, 0);
              }
              if (whole[0]) {
                try (Engine copy = open(sim, TARGET)) {
                  requireAll(copy, 0);
                }
              }
            });
      }
    }
    assertThat(ended).isBetween(1, 39);
  }

  // ---- Beside others.

  /** What the hold keeps comes on top of log.maxBytes: it takes room on disk, and no time. */
  @Test
  void aLogThatIsHeldMakesNoWriterWait() {
    simulated(
        14,
        sim -> {
          Path log = sim.directory().resolve("log");
          try (Engine engine = open(sim, sim.directory())) {
            try (CommitLog.Hold hold = engine.open().storage().log().hold()) {
              for (int round = 0; round < 10; round++) {
                fill(engine, round);
                engine.flush();
              }
              assertThat(sim.env().files().list(log)).hasSizeGreaterThan(20);
            }
            assertThat(engine.statistics().stalls().totals().get(StallCause.LOG_FULL).count())
                .isZero();
            sim.env().waiter().pause(1_000_000_000);
            assertThat(sim.env().files().list(log)).hasSizeLessThan(10);
          }
        });
  }

  /** Two of them want one directory; what all of them need comes out of use meanwhile. */
  @Test
  void checkpointsAtOnceAreWholeOrRefused() {
    Path other = Path.of("/backup/other");
    for (long seed = 0; seed < 20; seed++) {
      int[] made = new int[1];
      try (Simulation sim = Simulation.seeded(seed)) {
        Engine[] opened = new Engine[1];
        sim.run(
            () -> {
              opened[0] = open(sim, sim.directory());
              fill(opened[0], 0);
            });
        Engine engine = opened[0];
        Runnable contender =
            () -> {
              try {
                engine.checkpoint(TARGET);
                made[0]++;
              } catch (InUseException | IllegalArgumentException e) {
                assertThat(e).hasMessageContaining(TARGET.toString());
              }
            };
        sim.run(
            contender,
            contender,
            () -> engine.checkpoint(other),
            () -> {
              fill(engine, 0).compact();
              engine.flush();
            });
        assertThat(made[0]).isEqualTo(1);
        sim.run(
            () -> {
              engine.close();
              for (Path target : List.of(TARGET, other)) {
                try (Engine copy = open(sim, target)) {
                  requireAll(copy, 0);
                }
              }
            });
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
  }

  /** With the settings of its original it would take the log of that, and ruin both. */
  @Test
  void aCheckpointWithItsLogIsNotOpenedOnThatOfItsOriginal() {
    simulated(
        13,
        sim -> {
          sim.env().files().createDirectories(Path.of("/device"));
          EngineConfig config = SmallEngine.calm().logDirectory("/device/log").build();
          try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
            fill(engine, 0);
            engine.checkpoint(TARGET);
            assertThatThrownBy(() -> Engine.open(sim.env(), TARGET, config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                    "log.directory is /device/log",
                    TARGET.resolve("log").toString(),
                    "has a log already, perhaps that of the original; leave log.directory out")
                .hasMessageNotContainingAny("remove", "move");
          }
          try (Engine copy = open(sim, TARGET)) {
            requireAll(copy, 0);
          }
        });
  }

  @Test
  void aCheckpointOnARealDisk(@TempDir Path directory) throws Exception {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
    Path target = directory.resolve("copies/one");
    try (Engine engine = Engine.open(directory.resolve("db"), config)) {
      fill(engine, 0);
      CheckpointReport report = engine.checkpoint(target);
      assertThat(report.linkedTables() + report.copiedTables()).isPositive();
      fill(engine, 1);
      engine.tree("t").compact();
      try (Engine copy = Engine.open(target, config)) {
        requireAll(copy, 0);
      }
      requireAll(engine, 1);
      try (var files = Files.walk(target)) {
        assertThat(files.filter(Files::isRegularFile)).isNotEmpty();
      }
    }
  }

  @Test
  void aTargetMayLieBehindASymbolicLink(@TempDir Path directory) throws Exception {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
    Path database = directory.resolve("db");
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), outside);
    Path inside = Files.createSymbolicLink(directory.resolve("inside"), database.resolve("data"));
    try (Engine engine = Engine.open(database, config)) {
      for (Path each : List.of(inside, inside.resolve("copy"))) {
        assertThatThrownBy(() -> engine.checkpoint(each))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContainingAll(each.toString(), "in a directory of the database");
      }
      fill(engine, 0);
      engine.checkpoint(link);
    }
    for (Path each : List.of(database, outside)) {
      try (Engine engine = Engine.open(each, config)) {
        requireAll(engine, 0);
      }
    }
  }

  // ---- What others do to the directories meanwhile.

  /** Something is done before the first table is linked, which is refused. */
  private static StorageEnv beforeFirstLink(StorageEnv env, Runnable first) {
    boolean[] done = new boolean[1];
    Object files =
        Proxy.newProxyInstance(
            StorageFiles.class.getClassLoader(),
            new Class<?>[] {StorageFiles.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("link")) {
                if (!done[0]) {
                  done[0] = true;
                  first.run();
                }
                return false;
              }
              try {
                return method.invoke(env.files(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return new StorageEnv(
        (StorageFiles) files, env.clock(), env.waiter(), env.tasks(), env.random());
  }

  @Test
  void aFailureDeletesOnlyWhatTheCheckpointMade() {
    simulated(
        14,
        sim -> {
          StorageFiles files = sim.env().files();
          List<Path> strangers =
              List.of(TARGET.resolve("data/99999999.sst"), TARGET.resolve("stranger"));
          StorageEnv env =
              beforeFirstLink(
                  sim.env(),
                  () -> {
                    strangers.forEach(path -> files.open(path, StorageFiles.Mode.CREATE).close());
                    throw new StorageIoException("the device failed");
                  });
          EngineConfig config = EngineSimulationTest.config(Durability.PROCESS);
          try (Engine engine = Engine.open(env, sim.directory(), config)) {
            fill(engine, 0);
            assertThatThrownBy(() -> engine.checkpoint(TARGET))
                .isInstanceOf(StorageIoException.class)
                .hasMessage("the device failed");
          }
          assertThat(files.list(TARGET)).containsExactly("data", "lock", "stranger");
          assertThat(files.list(TARGET.resolve("data"))).containsExactly("99999999.sst");
        });
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aTargetThatWasTakenAwayIsNoCheckpoint(@TempDir Path directory) {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
    Path target = directory.resolve("copy");
    StorageEnv env = beforeFirstLink(RealEnv.create(), () -> delete(target.resolve("lock")));
    try (Engine engine = Engine.open(env, directory.resolve("db"), config)) {
      fill(engine, 0);
      assertThatThrownBy(() -> engine.checkpoint(target))
          .isInstanceOf(InUseException.class)
          .hasMessageContaining(target.resolve("lock").toString());
      assertThat(Engine.exists(target)).isFalse();
      engine.checkpoint(directory.resolve("other"));
    }
  }

  @Test
  void anEngineThatLostItsDirectoryLeavesNoPartOfACheckpoint(@TempDir Path directory) {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
    Path database = directory.resolve("db");
    Path target = directory.resolve("copy");
    StorageEnv env = beforeFirstLink(RealEnv.create(), () -> delete(database.resolve("lock")));
    Engine engine = Engine.open(env, database, config);
    fill(engine, 0);
    assertThatThrownBy(() -> engine.checkpoint(target))
        .isInstanceOf(InUseException.class)
        .hasMessageContaining(database.resolve("lock").toString());
    assertThat(target.toFile().list()).containsExactly("lock");
    // It fails, unless the engine has heard of its loss before.
    Closing.run(engine::close, null);
  }

  /** Neither a new database, nor one whose log is elsewhere. */
  @Test
  void aCheckpointThatWasInterruptedIsRefusedAsSuch() {
    simulated(
        15,
        sim -> {
          StorageFiles files = sim.env().files();
          files.createDirectories(TARGET.resolve("log"));
          files.open(TARGET.resolve("log/log-000001.seg"), StorageFiles.Mode.CREATE).close();
          for (EngineConfigBuilder config :
              List.of(SmallEngine.calm(), SmallEngine.calm().logDirectory("/log"))) {
            assertThatThrownBy(() -> Engine.open(sim.env(), TARGET, config.build()))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContainingAll("no file named current", "interrupted");
          }
        });
  }

  // ---- The log of a database by other names.

  @Test
  void aLogIsKnownByAnySpellingOfItsDirectory(@TempDir Path directory) throws Exception {
    Path real = Files.createDirectory(directory.resolve("real"));
    Path alias = Files.createSymbolicLink(directory.resolve("alias"), real);
    EngineConfigBuilder config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20);
    EngineConfig named = config.logDirectory(real.resolve("log").toString()).build();
    try (Engine engine = Engine.open(real, named)) {
      fill(engine, 0);
    }
    Path device = directory.resolve("device");
    for (int i = 0; i < 2; i++) {
      try (Engine engine = Engine.open(alias, named)) {
        requireAll(engine, 0);
      }
      if (i == 0) {
        Files.move(real.resolve("log"), device);
        Files.createSymbolicLink(real.resolve("log"), device);
        named = config.logDirectory(device.toString()).build();
      }
    }
  }

  // ---- Data directories beside that of the database.

  private static Engine openWith(Simulation sim, Path directory, Path... additional) {
    OpenOptions options = OpenOptions.DEFAULT.withDirectories(List.of(additional));
    return Engine.open(sim.env(), directory, EngineSimulationTest.config(Durability.SYNC), options);
  }

  private static Tree createIn(int directory, Engine engine, int round) {
    Tree tree = engine.createTree("in " + directory, TreeOptions.DEFAULT.inDirectory(directory));
    tree.put(key(directory), value(1, round));
    tree.flush();
    tree.put(key(directory + 1), value(2, round));
    return tree;
  }

  private static void requireCreated(Tree tree, int directory, int round) {
    assertThat(tree.get(key(directory))).isEqualTo(value(1, round));
    assertThat(tree.get(key(directory + 1))).isEqualTo(value(2, round));
  }

  private static void requireRefused(Simulation sim, Path database, Path disk, String owner) {
    List<String> before = sim.env().files().list(disk);
    assertThatThrownBy(() -> openWith(sim, database, disk))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(disk + " belongs to " + owner, database.toString());
    assertThat(sim.env().files().list(disk)).isEqualTo(before);
  }

  @Test
  void theTreesOfAllDirectoriesAreInOne() {
    simulated(
        16,
        sim -> {
          Path one = Path.of("/mnt/a");
          Path two = Path.of("/mnt/b");
          try (Engine engine = openWith(sim, sim.directory(), one, two)) {
            fill(engine, 0);
            createIn(1, engine, 0);
            createIn(2, engine, 0);
            assertThatThrownBy(() -> engine.checkpoint(two.resolve("backup")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("in a directory of the database", two.toString());
            assertThat(engine.checkpoint(TARGET).linkedTables()).isGreaterThan(2);
            engine.dropTree("in 2");
          }
          try (Engine copy = open(sim, TARGET)) {
            requireAll(copy, 0);
            for (int directory = 1; directory <= 2; directory++) {
              Tree tree = copy.tree("in " + directory);
              assertThat(tree.directory()).isZero();
              requireCreated(tree, directory, 0);
            }
            copy.trees().forEach(Tree::compact);
            assertThat(copy.verify().findings()).isEmpty();
          }
        });
  }

  /** Both have a first directory, with files of the same names: neither may take the other's. */
  @Test
  void aCopyAndItsOriginalHaveDirectoriesOfTheirOwn() {
    simulated(
        17,
        sim -> {
          Path originals = Path.of("/mnt/a");
          Path copys = Path.of("/mnt/b");
          try (Engine engine = open(sim, sim.directory())) {
            fill(engine, 0);
            engine.checkpoint(TARGET);
          }
          try (Engine engine = openWith(sim, sim.directory(), originals)) {
            createIn(1, engine, 1);
          }
          requireRefused(sim, TARGET, originals, "the database that the one in " + TARGET);
          for (int i = 0; i < 2; i++) {
            try (Engine copy = openWith(sim, TARGET, copys)) {
              Tree tree = i == 0 ? createIn(1, copy, 2) : copy.tree("in 1");
              requireCreated(tree, 1, 2);
              requireAll(copy, 0);
            }
          }
          requireRefused(sim, sim.directory(), copys, "another database");
          requireRefused(sim, TARGET, originals, "the database that the one in " + TARGET);
          try (Engine engine = openWith(sim, sim.directory(), originals)) {
            requireCreated(engine.tree("in 1"), 1, 1);
          }
        });
  }
}
