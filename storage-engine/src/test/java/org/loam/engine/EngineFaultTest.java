package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.DiskFullException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;

/** One fault at a time: what is refused, in which words, and that all the rest goes on. */
@ExtendWith(QuietLog.class)
class EngineFaultTest {
  private static final int KEYS = 200;
  private static final int VALUE_BYTES = 300;
  private static final int LARGE_BYTES = 10_000;

  /** With a table of each, L0 would be deeper than it may be. */
  private static final int MANY_ROUNDS = 40;

  private static final long MANY_SECONDS = 60_000_000_000L;

  private static final Predicate<Path> LOG = path -> path.toString().contains("/log/");
  private static final Predicate<Path> TABLE = path -> path.toString().endsWith(".sst");
  private static final Predicate<Path> MANIFEST =
      path -> path.getFileName().toString().startsWith("manifest-");

  private interface Body {
    void run(Simulation sim, Engine engine);
  }

  /** Runs a body on an engine with two trees, of which "t" has its first rows. */
  private static void inEngine(Durability durability, Body body) {
    try (Simulation sim = Simulation.seeded(4)) {
      sim.run(
          () -> {
            try (Engine engine = open(sim, durability)) {
              engine.createTree("other").put(key(1), value(1));
              write(engine.createTree("t"), 0, KEYS);
              body.run(sim, engine);
              sim.faults().clear();
              assertThat(engine.statistics().cache().pinnedFrames()).isZero();
            }
          });
      assertThat(sim.liveBytes()).as("off-heap bytes left").isZero();
    }
  }

  private static Engine open(Simulation sim, Durability durability) {
    return Engine.open(sim.env(), sim.directory(), EngineSimulationTest.config(durability));
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static byte[] value(int i) {
    byte[] value = new byte[i % 50 == 7 ? LARGE_BYTES : VALUE_BYTES];
    Arrays.fill(value, (byte) i);
    return value;
  }

  private static void write(Tree tree, int from, int to) {
    for (int i = from; i < to; i++) {
      tree.put(key(i), value(i));
    }
  }

  private static void check(Tree tree, int to) {
    for (int i = 0; i < to; i++) {
      assertThat(tree.get(key(i))).as("key %d", i).isEqualTo(value(i));
    }
    assertThat(tree.get(key(to))).isNull();
    assertThat(scanned(tree)).isEqualTo(to);
  }

  private static int scanned(Tree tree) {
    int count = 0;
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      while (cursor.next()) {
        assertThat(cursor.key()).isEqualTo(key(count));
        assertThat(cursor.value()).isEqualTo(value(count));
        count++;
      }
    }
    return count;
  }

  private static void refused(
      Class<? extends StorageException> type, ThrowingCallable call, String... told) {
    assertThatThrownBy(call).isExactlyInstanceOf(type).hasMessageContainingAll(told);
  }

  private static Fault failing(IoKind kind, Predicate<Path> paths) {
    return Fault.of(FaultEffect.IO_ERROR).on(kind).onPath(paths);
  }

  private static List<Path> tables(Simulation sim) {
    return sim.disk().files().stream().filter(TABLE).toList();
  }

  // ---- Forces.

  @Test
  void aFailedForceOfTheLogFencesAndIsNeverRepeated() {
    long[] forces = new long[2];
    try (Simulation sim = Simulation.seeded(4)) {
      sim.run(
          () -> {
            Engine engine = open(sim, Durability.SYNC);
            Tree tree = engine.createTree("t");
            write(tree, 0, KEYS);
            sim.faults().add(failing(IoKind.FORCE, LOG));
            refused(
                FencedException.class,
                () -> tree.put(key(KEYS), value(KEYS)),
                "/data/log/",
                "force",
                "reopen");
            sim.faults().add(noting(forces, call -> LOG.test(call)));
            requireFenced(engine);
            check(tree, KEYS);
            closeQuietly(engine);
            assertThat(forces[0]).as("forces of the log after one failed").isZero();
          });
      sim.run(
          () -> {
            try (Engine engine = open(sim, Durability.SYNC)) {
              Tree tree = engine.tree("t");
              // The write that was refused was in the log; no answer said that it is not there.
              check(tree, tree.get(key(KEYS)) == null ? KEYS : KEYS + 1);
              write(tree, KEYS, KEYS + 10);
              check(tree, KEYS + 10);
            }
          });
    }
  }

  /** A fault that never strikes, and counts the forces that it was asked about. */
  private static Fault noting(long[] count, Predicate<Path> paths) {
    return Fault.of(FaultEffect.IO_ERROR)
        .where(
            call -> {
              if (call.kind() == IoKind.FORCE && paths.test(call.path())) {
                count[0]++;
              }
              return false;
            });
  }

  private static void requireFenced(Engine engine) {
    Tree tree = engine.tree("t");
    List<ThrowingCallable> writes =
        List.of(
            () -> tree.put(key(0), value(1)),
            () -> tree.delete(key(0)),
            () -> tree.compareAndPut(key(0), value(0), value(1)),
            () -> engine.write(new WriteBatch().delete(tree, key(0))),
            () -> engine.createTree("more"),
            () -> engine.dropTree("t"),
            engine::flush);
    for (ThrowingCallable write : writes) {
      assertThatThrownBy(write).isInstanceOf(FencedException.class);
    }
    assertThat(tree.get(key(0))).isEqualTo(value(0));
    try (Snapshot snapshot = engine.snapshot()) {
      assertThat(snapshot.get(tree, key(1))).isEqualTo(value(1));
    }
  }

  private static void closeQuietly(Engine engine) {
    try {
      engine.close();
    } catch (StorageException e) {
      assertThat(e).isInstanceOf(FencedException.class);
    }
  }

  /** What the manifest says then is not known, so no write may rely on it, whichever it is. */
  @Test
  void aFailedForceOfTheManifestFences() {
    try (Simulation sim = Simulation.seeded(4)) {
      sim.run(
          () -> {
            Engine engine = open(sim, Durability.PROCESS);
            Tree tree = engine.createTree("t");
            write(tree, 0, 10);
            sim.faults().add(failing(IoKind.FORCE, MANIFEST));
            refused(
                FencedException.class,
                () -> engine.createTree("u"),
                "manifest-",
                "force",
                "failed");
            sim.faults().clear();
            requireFenced(engine);
            check(tree, 10);
            closeQuietly(engine);
          });
      sim.run(
          () -> {
            try (Engine engine = open(sim, Durability.PROCESS)) {
              check(engine.tree("t"), 10);
              if (!engine.hasTree("u")) {
                engine.createTree("u");
              }
              write(engine.tree("u"), 0, 10);
              check(engine.tree("u"), 10);
            }
          });
    }
  }

  // ---- A full disk.

  @Test
  void aFullDiskRefusesWritesUntilThereIsRoomAgain() {
    inEngine(
        Durability.PROCESS,
        (sim, engine) -> {
          Tree tree = engine.tree("t");
          long capacity = sim.disk().capacityBytes();
          sim.disk().capacityBytes(sim.disk().usedBytes() + (100 << 10));
          int[] written = {KEYS};
          DiskFullException full =
              catchThrowableOfType(DiskFullException.class, () -> writeOn(tree, written));
          assertThat(full.neededBytes()).isPositive();
          assertThat(full.freeBytes()).isBetween(0L, 100L << 10);
          assertThat(full)
              .hasMessageContaining(full.neededBytes() + " bytes needed")
              .hasMessageContaining(full.freeBytes() + " bytes free");
          for (int i = 0; i < 20; i++) {
            refused(DiskFullException.class, () -> tree.delete(key(0)), "bytes needed", "free");
            sim.env().waiter().pause(100_000_000);
          }
          check(tree, written[0]);
          sim.disk().capacityBytes(capacity);
          awaitAdmission(sim, () -> tree.put(key(written[0]), value(written[0])));
          write(tree, written[0] + 1, written[0] + KEYS);
          engine.flush();
          check(tree, written[0] + KEYS);
        });
  }

  private static void writeOn(Tree tree, int[] next) {
    while (true) {
      tree.put(key(next[0]), value(next[0]));
      next[0]++;
    }
  }

  /** The engine lets writes in by itself, if not at once. */
  private static void awaitAdmission(Simulation sim, Runnable write) {
    for (int i = 0; i < 100; i++) {
      try {
        write.run();
        return;
      } catch (DiskFullException e) {
        sim.env().waiter().pause(50_000_000);
      }
    }
    throw new AssertionError("still refused after five seconds");
  }

  // ---- Reads.

  @Test
  void aPageThatCannotBeReadIsNamedAndNothingElseBreaks() {
    inEngine(
        Durability.PROCESS,
        (sim, engine) -> {
          Tree tree = engine.tree("t");
          tree.compact();
          // What the compaction replaced may be deleted a little later.
          await(sim, () -> tables(sim).size() == tableCount(engine));
          Path table = tables(sim).get(0);
          sim.faults().add(failing(IoKind.READ, TABLE).asSticky());
          refused(
              StorageIoException.class, () -> tree.get(key(0)), "page ", "/data/data/0", ".sst");
          refused(StorageIoException.class, () -> scanned(tree), "page ", ".sst");
          List<byte[]> keys = IntStream.range(0, KEYS).mapToObj(EngineFaultTest::key).toList();
          refused(StorageIoException.class, () -> tree.getAll(keys), "page ", ".sst");
          assertThat(engine.tree("other").get(key(1))).isEqualTo(value(1));
          tree.put(key(KEYS), value(KEYS));
          assertThat(tree.get(key(KEYS))).isEqualTo(value(KEYS));
          sim.faults().clear();
          check(tree, KEYS + 1);
          assertThat(sim.disk().files()).contains(table);
        });
  }

  /** After a read that failed a cursor goes on where it was. */
  @Test
  void aCursorMayTryAgain() {
    for (int nth = 1; nth < 40; nth++) {
      int failing = nth;
      inEngine(
          Durability.PROCESS,
          (sim, engine) -> {
            Tree tree = engine.tree("t");
            tree.flush();
            sim.faults().add(failing(IoKind.READ, TABLE).nth(failing));
            List<String> keys = new ArrayList<>();
            int faults = 0;
            try (Cursor cursor = tree.scan(ScanOptions.all())) {
              boolean more = true;
              while (more) {
                try {
                  more = cursor.next();
                  if (more) {
                    keys.add(new String(cursor.key(), UTF_8));
                  }
                } catch (StorageIoException e) {
                  faults++;
                  assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
                }
              }
            }
            assertThat(faults).as("read %d", failing).isLessThanOrEqualTo(1);
            assertThat(keys)
                .as("read %d", failing)
                .hasSize(KEYS)
                .doesNotHaveDuplicates()
                .isSorted();
          });
    }
  }

  @Test
  void aDamagedPageIsNamedAndOtherPagesAreReadable() {
    inEngine(
        Durability.PROCESS,
        (sim, engine) -> {
          Tree tree = engine.tree("t");
          tree.compact();
          // What the compaction replaced may be deleted a little later.
          await(sim, () -> tables(sim).size() == tableCount(engine));
          Path table = tables(sim).get(0);
          sim.disk().flip(table, 1000, 0x10);
          int damaged = 0;
          for (int i = 0; i < KEYS; i++) {
            try {
              assertThat(tree.get(key(i))).isEqualTo(value(i));
            } catch (CorruptionException e) {
              damaged++;
              assertThat(e).hasMessageContainingAll(table.toString(), "page 0", "restore");
            }
          }
          assertThat(damaged).isBetween(1, 20);
          refused(CorruptionException.class, () -> scanned(tree), table.toString(), "page 0");
          tree.put(key(0), value(0));
          tree.put(key(KEYS), value(KEYS));
          refused(CorruptionException.class, tree::compact, table.toString(), "page 0");
          Tree other = engine.tree("other");
          other.compact();
          assertThat(other.get(key(1))).isEqualTo(value(1));
          sim.disk().flip(table, 1000, 0x10);
          check(tree, KEYS + 1);
        });
  }

  /** A compaction comes first: merges of its keys would wait while it is tried again and again. */
  @Test
  void mergesOfOtherKeysGoOnAfterACompactionThatFails() {
    inEngine(
        Durability.PROCESS,
        (sim, engine) -> {
          Tree tree = engine.tree("t");
          tree.compact();
          await(sim, () -> tables(sim).size() == tableCount(engine));
          Path table = tables(sim).get(0);
          sim.disk().flip(table, 1000, 0x10);
          tree.put(key(0), value(0));
          tree.put(key(KEYS), value(KEYS));
          refused(CorruptionException.class, tree::compact, table.toString(), "page 0");
          WriteOptions soon = WriteOptions.DEFAULT.within(Duration.ofMinutes(10));
          for (int round = 0; round < MANY_ROUNDS; round++) {
            tree.put(key(2 * KEYS), value(round), soon);
            tree.put(key(3 * KEYS), value(round), soon);
            tree.flush();
          }
          assertThat(tree.get(key(2 * KEYS))).isEqualTo(value(MANY_ROUNDS - 1));
        });
  }

  // ---- Background work.

  @Test
  void aFlushThatFailsIsReportedAndTriedAgain() {
    inEngine(
        Durability.PROCESS,
        (sim, engine) -> {
          int before = tables(sim).size();
          sim.faults().add(failing(IoKind.WRITE, TABLE).asSticky());
          refused(StorageIoException.class, engine::flush, "write", ".sst", "failed");
          refused(StorageIoException.class, engine.tree("t")::flush, "write", ".sst");
          engine.tree("t").put(key(KEYS), value(KEYS));
          sim.faults().clear();
          long done = engine.statistics().work().flushes();
          awaitFlush(sim, engine, done);
          check(engine.tree("t"), KEYS + 1);
          engine.flush();
          check(engine.tree("t"), KEYS + 1);
          assertThat(tables(sim)).hasSizeGreaterThan(before);
          assertThat(tables(sim)).hasSize(tableCount(engine));
        });
  }

  private static void awaitFlush(Simulation sim, Engine engine, long flushes) {
    await(sim, () -> engine.statistics().work().flushes() > flushes);
  }

  private static void await(Simulation sim, BooleanSupplier done) {
    long start = sim.env().clock().nanoTime();
    while (!done.getAsBoolean()) {
      sim.env().waiter().pause(10_000_000);
      assertThat(sim.env().clock().nanoTime() - start).isLessThan(MANY_SECONDS);
    }
  }

  private static int tableCount(Engine engine) {
    return engine.statistics().trees().stream()
        .flatMap(tree -> tree.levels().stream())
        .mapToInt(EngineStatistics.LevelStatistics::tables)
        .sum();
  }

  @Test
  void aMergeThatFailsIsReportedAndTriedAgain() {
    inEngine(
        Durability.PROCESS,
        (sim, engine) -> {
          Tree tree = engine.tree("t");
          engine.flush();
          write(tree, 0, KEYS);
          engine.flush();
          sim.faults().add(failing(IoKind.WRITE, TABLE).asSticky());
          refused(StorageIoException.class, tree::compact, "write", ".sst", "failed");
          check(tree, KEYS);
          sim.faults().clear();
          tree.compact();
          check(tree, KEYS);
          assertThat(engine.statistics().trees().get(1).levels())
              .as("levels after a compaction")
              .hasSize(1);
          await(sim, () -> tables(sim).size() == tableCount(engine));
        });
  }
}
