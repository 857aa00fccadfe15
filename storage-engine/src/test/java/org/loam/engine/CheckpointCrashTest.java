package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.error.StorageIoException;
import org.loam.common.mem.Mem;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;

/**
 * A checkpoint whose process dies, or whose disk fails, at each of its I/O calls in turn. The
 * database has lost nothing then, and the directory of the checkpoint is one that has everything,
 * or none.
 */
@Tag("once")
@ExtendWith(QuietLog.class)
class CheckpointCrashTest {
  private static final Path TARGET = Path.of("/backup/friday");
  private static final int KEYS = 120;
  private static final int SEEDS = 60;

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static byte[] value(int i) {
    byte[] value = new byte[i % 50 == 7 ? 6000 : 300];
    Arrays.fill(value, (byte) i);
    return value;
  }

  private static Engine open(Simulation sim, Path directory) {
    return Engine.open(sim.env(), directory, EngineSimulationTest.config(Durability.SYNC));
  }

  /** Batches over two trees, in tables, memory and several segments of the log. */
  private static void fill(Engine engine) {
    Tree one = engine.createTree("one");
    Tree two = engine.createTree("two");
    for (int i = 0; i < KEYS; i++) {
      engine.write(new WriteBatch().put(one, key(i), value(i)).put(two, key(i), value(i)));
      if (i % 50 == 40) {
        engine.flush();
      }
    }
  }

  private static void requireAll(Engine engine) {
    for (String name : new String[] {"one", "two"}) {
      int found = 0;
      try (Cursor cursor = engine.tree(name).scan(ScanOptions.all())) {
        while (cursor.next()) {
          assertThat(cursor.key()).isEqualTo(key(found));
          assertThat(cursor.value()).isEqualTo(value(found));
          found++;
        }
      }
      assertThat(found).isEqualTo(KEYS);
    }
    assertThat(engine.verify().findings()).isEmpty();
  }

  /** Opens what is in the directory of the checkpoint, if that is a database; whether it is. */
  private static boolean requireWholeOrNone(Simulation sim) {
    if (!sim.env().files().exists(TARGET.resolve("current"))) {
      return false;
    }
    try (Engine copy = open(sim, TARGET)) {
      assertThat(copy.recovery().created()).isFalse();
      requireAll(copy);
    }
    return true;
  }

  // ---- Crashes.

  /** Returns whether the crash came in the checkpoint. */
  private static boolean crashAt(long call, CrashKind kind, boolean links) {
    boolean[] made = new boolean[1];
    try (Simulation sim = Simulation.seeded(call)) {
      boolean ended =
          sim.run(
              () -> {
                Engine engine = open(sim, sim.directory());
                fill(engine);
                if (!links) {
                  sim.faults().add(Fault.of(FaultEffect.IO_ERROR).on(IoKind.LINK).asSticky());
                }
                sim.crashAtCall(call, kind);
                engine.checkpoint(TARGET);
                made[0] = true;
                sim.crash(kind);
              });
      assertThat(ended).isFalse();
      sim.faults().clear();
      sim.run(
          () -> {
            boolean whole = requireWholeOrNone(sim);
            assertThat(whole || !made[0]).as("a durable checkpoint").isTrue();
            try (Engine engine = open(sim, sim.directory())) {
              requireAll(engine);
              if (!whole) {
                engine.checkpoint(Path.of("/backup/saturday"));
              }
            }
          });
      return !made[0];
    } catch (Throwable t) {
      throw new AssertionError("call " + call + ", " + kind, t);
    }
  }

  @Test
  void aCrashAtAnyCallLeavesAllOrNothing() {
    for (CrashKind kind : CrashKind.values()) {
      for (boolean links : new boolean[] {true, false}) {
        long call = 1;
        while (crashAt(call, kind, links)) {
          call++;
        }
        assertThat(call).as("calls").isGreaterThan(40);
      }
    }
  }

  /** The directory was there before, but not durably. */
  @Test
  void aCheckpointIsDurableWithTheNameOfItsDirectory() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(
            () -> {
              Engine engine = open(sim, sim.directory());
              fill(engine);
              sim.env().files().createDirectories(TARGET.getParent());
              sim.env().files().forceDirectory(Path.of("/"));
              sim.env().files().createDirectories(TARGET);
              engine.checkpoint(TARGET);
              sim.crash(CrashKind.POWER_LOSS);
            });
        sim.run(() -> assertThat(requireWholeOrNone(sim)).isTrue());
      }
    }
  }

  // ---- Faults.

  /** After the rename that makes it a database, it is not known whether it is one. */
  @Test
  void aCheckpointThatIsNotKnownToBeDurableIsTakenBackForGood() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(
            () -> {
              Engine engine = open(sim, sim.directory());
              fill(engine);
              // It is forced with its directories, with the manifest, and at last.
              sim.faults()
                  .add(
                      Fault.of(FaultEffect.IO_ERROR)
                          .on(IoKind.FORCE_DIRECTORY)
                          .onPath(TARGET::equals)
                          .nth(3));
              assertThatThrownBy(() -> engine.checkpoint(TARGET))
                  .isInstanceOf(StorageIoException.class);
              CheckpointTest.requireNothingIn(sim, TARGET);
              sim.crash(CrashKind.POWER_LOSS);
            });
        sim.run(() -> requireWholeOrNone(sim));
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }
  }

  /**
   * @param powerLoss whether power is lost afterwards, instead of a death of the process
   * @return whether a call failed
   */
  private static boolean failAt(long call, FaultEffect effect, boolean sticky, boolean powerLoss) {
    boolean[] struck = new boolean[1];
    try (Simulation sim = Simulation.seeded(call)) {
      boolean[] whole = new boolean[1];
      sim.run(
          () -> {
            Engine engine = open(sim, sim.directory());
            fill(engine);
            Fault fault = Fault.of(effect).nth(call);
            sim.faults().add(sticky ? fault.asSticky() : fault);
            try {
              engine.checkpoint(TARGET);
              whole[0] = true;
            } catch (StorageException e) {
              struck[0] = true;
            }
            struck[0] |= sim.faults().fired() > 0;
            sim.faults().clear();
            if (!whole[0] && !sticky) {
              CheckpointTest.requireNothingIn(sim, TARGET);
            }
            if (!whole[0]) {
              try {
                engine.checkpoint(Path.of("/backup/saturday"));
              } catch (FencedException e) {
                // The fault was one of the log.
              }
            }
            requireAll(engine);
            engine.close();
            assertThat(sim.liveBytes()).as(Mem::describeLive).isZero();
          });
      sim.crash(powerLoss ? CrashKind.POWER_LOSS : CrashKind.PROCESS_DEATH);
      sim.run(
          () -> {
            assertThat(requireWholeOrNone(sim) || !whole[0]).isTrue();
            try (Engine engine = open(sim, sim.directory())) {
              requireAll(engine);
            }
          });
      return struck[0];
    } catch (Throwable t) {
      throw new AssertionError("call " + call + ", " + effect + (sticky ? " from then on" : ""), t);
    }
  }

  @Test
  void aFaultOfAnyCallLeavesAllOrNothing() {
    for (FaultEffect effect : FaultEffect.values()) {
      for (boolean sticky : new boolean[] {false, true}) {
        long call = 1;
        while (failAt(call, effect, sticky, call % 2 == 0)) {
          call++;
        }
        assertThat(call).as("calls that %s strikes", effect).isGreaterThan(12);
      }
    }
  }
}
