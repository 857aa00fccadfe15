package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.LsmTree;
import org.loam.lsm.version.LiveTable;

/** A database that gets two more directories and trees in them, crashed at each I/O call. */
@Tag("once")
@ExtendWith(QuietLog.class)
class DataDirectoriesCrashTest {
  private static final List<Path> ADDITIONAL = List.of(Path.of("/mnt/a"), Path.of("/mnt/b"));
  private static final int KEYS = 60;

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static Engine open(Simulation sim, boolean otherOrder) {
    List<Path> directories = new ArrayList<>(ADDITIONAL);
    if (otherOrder) {
      Collections.reverse(directories);
    }
    return open(sim, directories);
  }

  private static Engine open(Simulation sim, List<Path> directories) {
    return Engine.open(
        sim.env(),
        sim.directory(),
        EngineSimulationTest.config(Durability.SYNC),
        OpenOptions.DEFAULT.withDirectories(directories));
  }

  /**
   * @param acknowledged number of the last write to each tree; -1 once it is being dropped
   */
  private static void work(Engine engine, Map<String, Integer> acknowledged) {
    for (int directory = 0; directory < 3; directory++) {
      String name = "t" + directory;
      Tree tree = engine.createTree(name, TreeOptions.DEFAULT.inDirectory(directory));
      acknowledged.put(name, 0);
      for (int i = 1; i <= KEYS; i++) {
        tree.put(key(i), new byte[i % 20 == 7 ? 5000 : 300]);
        acknowledged.put(name, i);
        if (i == KEYS / 2) {
          tree.flush();
        }
      }
      tree.compact();
    }
    acknowledged.put("t1", -1);
    engine.dropTree("t1");
  }

  private static void check(Simulation sim, Engine engine, Map<String, Integer> acknowledged) {
    acknowledged.forEach(
        (name, last) -> {
          assertThat(engine.hasTree(name) || last < 0).as(name).isTrue();
          for (int i = 1; i <= last; i++) {
            assertThat(engine.tree(name).get(key(i))).hasSize(i % 20 == 7 ? 5000 : 300);
          }
        });
    assertThat(engine.verify().findings()).isEmpty();
    List<Path> named = new ArrayList<>();
    for (Tree tree : engine.trees()) {
      LsmTree lsm = tree.lsm();
      Path directory = engine.directories().get(tree.directory());
      assertThat(tree.name()).isEqualTo("t" + tree.directory());
      for (LiveTable table : lsm.disk().tables()) {
        Path path = table.path();
        assertThat(path.startsWith(directory)).as("%s in %s", path, directory).isTrue();
        named.add(path);
      }
    }
    List<Path> files =
        sim.disk().files().stream().filter(p -> p.toString().endsWith(".sst")).toList();
    assertThat(files).containsExactlyInAnyOrderElementsOf(named);
  }

  /** Returns whether the crash came. */
  private static boolean crashAt(long call, CrashKind kind) {
    Map<String, Integer> acknowledged = new TreeMap<>();
    try (Simulation sim = Simulation.seeded(call)) {
      boolean ended =
          sim.run(
              () -> {
                sim.crashAtCall(call, kind);
                Engine engine = open(sim, false);
                work(engine, acknowledged);
                engine.close();
              });
      if (ended) {
        sim.crash(CrashKind.PROCESS_DEATH);
      }
      boolean[] reversed = {false};
      sim.run(
          () -> {
            try (Engine engine = open(sim, call % 2 == 0)) {
              // None is number 1 if the manifest kept the number, and the directory did not get it.
              reversed[0] = ADDITIONAL.get(1).equals(engine.directories().get(1));
              check(sim, engine, acknowledged);
            }
          });
      assertThat(reversed[0] && !acknowledged.isEmpty()).as("numbers changed").isFalse();
      return !ended;
    } catch (Throwable t) {
      throw new AssertionError("call " + call + ", " + kind, t);
    }
  }

  /** The numbers of directories that an open has not got to give them are free for others. */
  @Test
  void anOpenThatFailsGivesNoNumber() {
    try (Simulation sim = Simulation.seeded(5)) {
      sim.run(
          () -> {
            Engine engine = open(sim, List.of());
            engine.createTree("t0").put(key(0), new byte[300]);
            sim.crash(CrashKind.PROCESS_DEATH);
          });
      sim.faults()
          .add(
              Fault.of(FaultEffect.IO_ERROR)
                  .on(IoKind.CREATE)
                  .onPath(path -> path.toString().endsWith(".sst")));
      sim.run(
          () ->
              assertThatThrownBy(() -> open(sim, ADDITIONAL.subList(0, 1)))
                  .isInstanceOf(StorageIoException.class));
      assertThat(sim.faults().fired()).isOne();
      sim.run(
          () -> {
            try (Engine engine = open(sim, ADDITIONAL.subList(1, 2))) {
              engine
                  .createTree("t1", TreeOptions.DEFAULT.inDirectory(1))
                  .put(key(1), new byte[300]);
            }
          });
      sim.run(
          () -> {
            try (Engine engine = open(sim, ADDITIONAL)) {
              assertThat(engine.directories().get(1)).isEqualTo(ADDITIONAL.get(1));
              check(sim, engine, Map.of("t0", 0, "t1", 1));
            }
          });
    }
  }

  @Test
  void whatWasAcknowledgedIsThereAndNoFileTooMany() {
    for (CrashKind kind : CrashKind.values()) {
      long call = 1;
      while (crashAt(call, kind)) {
        call++;
      }
      assertThat(call).as("calls").isGreaterThan(150);
    }
  }
}
