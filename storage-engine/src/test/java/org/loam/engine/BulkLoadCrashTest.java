package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;

/** A bulk load between writes to other trees, once for each of its I/O calls, which is the last. */
@Tag("once")
@ExtendWith(QuietLog.class)
class BulkLoadCrashTest {
  private static final int KEYS = 300;

  /** How far a life came, and what it can have left. */
  private static final class Progress {
    boolean committed;
    int written;

    /** Those of the written ones that the commit came after. */
    int writtenBefore;
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static byte[] value(int i) {
    return new byte[i % 50 == 7 ? 9000 : 200 + i % 100];
  }

  private static Engine open(Simulation sim, Durability durability, @Nullable SimulatedHost host) {
    EngineConfig config = EngineSimulationTest.config(durability);
    return host == null ? Engine.open(sim.env(), sim.directory(), config) : host.open(sim, config);
  }

  private static void work(Simulation sim, Engine engine, Progress progress) {
    Tree tree = engine.createTree("t");
    Tree other = engine.createTree("other");
    // The entries get the LSN of the last of these, which a PROCESS database has not forced.
    for (; progress.written < 5; progress.written++) {
      other.put(key(progress.written), value(progress.written));
    }
    try (BulkLoad load = tree.bulkLoad()) {
      for (int i = 0; i < KEYS; i++) {
        load.add(key(i), value(i));
        if (i % 20 == 0) {
          other.put(key(progress.written), value(progress.written));
          progress.written++;
        }
      }
      progress.writtenBefore = progress.written;
      load.commit();
    }
    progress.committed = true;
    assertThat(tree.get(key(7))).isEqualTo(value(7));
    tree.put(key(KEYS), value(KEYS));
  }

  private static int check(Engine engine, Progress progress, boolean mayLose) {
    Tree tree = engine.hasTree("t") ? engine.tree("t") : engine.createTree("t");
    int found = 0;
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      while (cursor.next()) {
        assertThat(cursor.key()).isEqualTo(key(found));
        assertThat(cursor.value()).isEqualTo(value(found));
        found++;
      }
    }
    assertThat(found).isIn(0, KEYS, KEYS + 1);
    assertThat(found >= KEYS || !progress.committed).as("found %d", found).isTrue();
    // The load is durable, whatever the durability of the database; so is what it came after.
    int kept = !mayLose ? progress.written : found >= KEYS ? progress.writtenBefore : 0;
    for (int i = 0; i < kept; i++) {
      assertThat(engine.tree("other").get(key(i))).as("write %d", i).isEqualTo(value(i));
    }
    assertThat(engine.verify().findings()).isEmpty();
    return found;
  }

  private static long tables(Simulation sim) {
    return sim.disk().files().stream().filter(p -> p.toString().endsWith(".sst")).count();
  }

  private static long tables(Engine engine) {
    return engine.statistics().trees().stream()
        .flatMap(tree -> tree.levels().stream())
        .mapToLong(EngineStatistics.LevelStatistics::tables)
        .sum();
  }

  /** Returns whether the crash came. */
  private static boolean crashAt(long call, CrashKind kind, Durability durability, boolean hosted) {
    Progress progress = new Progress();
    SimulatedHost host = hosted ? new SimulatedHost(new Random(call)) : null;
    try (Simulation sim = Simulation.seeded(call)) {
      sim.run(() -> open(sim, durability, host).close());
      boolean ended =
          sim.run(
              () -> {
                Engine engine = open(sim, durability, host);
                sim.crashAtCall(call, kind);
                work(sim, engine, progress);
                engine.close();
              });
      if (ended) {
        sim.crash(CrashKind.PROCESS_DEATH);
      } else if (host != null) {
        host.crash();
      }
      boolean mayLose = hosted || durability == Durability.PROCESS && kind == CrashKind.POWER_LOSS;
      progress.writtenBefore *= hosted ? 0 : 1;
      sim.run(
          () -> {
            Engine engine = open(sim, durability, host);
            int found = check(engine, progress, mayLose);
            assertThat(tables(sim)).as("files").isEqualTo(tables(engine));
            if (found == 0) {
              // Nothing is in the way of another load.
              try (BulkLoad load = engine.tree("t").bulkLoad()) {
                load.add(key(0), value(0));
                load.commit();
              }
              assertThat(engine.tree("t").get(key(0))).isEqualTo(value(0));
            }
            engine.close();
          });
      return !ended;
    } catch (Throwable t) {
      throw new AssertionError(
          "call " + call + ", " + kind + ", " + durability + ", hosted " + hosted, t);
    }
  }

  private static void everyCall(Durability durability, boolean hosted) {
    for (CrashKind kind : CrashKind.values()) {
      long call = 1;
      while (crashAt(call, kind, durability, hosted)) {
        call++;
      }
      assertThat(call).as("calls").isGreaterThan(30);
    }
  }

  @Test
  void aLoadIsThereWholeOrNotAtAll() {
    everyCall(Durability.SYNC, false);
  }

  @Test
  void alsoInADatabaseThatForcesNoWrites() {
    everyCall(Durability.PROCESS, false);
  }

  @Test
  void alsoBelowAHostLog() {
    everyCall(Durability.SYNC, true);
  }
}
