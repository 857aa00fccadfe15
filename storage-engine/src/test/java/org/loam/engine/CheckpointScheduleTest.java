package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SwitchPoints;
import org.loam.engine.open.SmallEngine;
import org.loam.log.CommitLog;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestImage;
import org.loam.lsm.manifest.ManifestState.TreeRecord;

/**
 * Schedules of a checkpoint: of the moment that it takes, beside a new tree and a flush, and of
 * what the state names, which a merge and a truncation take away before it is copied. What happens
 * right at the moment has {@link CheckpointMomentTest}.
 */
@Tag("once")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Explored
@ExtendWith(QuietLog.class)
class CheckpointScheduleTest {
  private static final int SCHEDULES_OF_MOMENTS = 300;
  private static final int SCHEDULES = 100;
  private static final int IMAGES = 500;
  private static final Path TARGET = Path.of("/backup");

  /** An engine with writes in a table, and later ones in two segments of the log. */
  private static final class World {
    static final int KEYS = 10;
    static final int VALUE_BYTES = 12_000;

    final Simulation sim;
    final Engine engine;
    final Tree tree;
    final List<ManifestImage> images = new ArrayList<>();
    long endOfFirstWrite;

    World(Simulation sim) {
      this.sim = sim;
      engine =
          Engine.open(
              sim.env(),
              sim.directory(),
              SmallEngine.config()
                  .durability(Durability.PROCESS)
                  .mergeThreads(1)
                  .mergesWhenQuiet(false)
                  .build());
      tree = engine.createTree("t");
      putAll();
      tree.flush();
      putAll();
      // The workers have looked at what was flushed, and rest.
      sim.env().waiter().pause(1_000_000_000);
    }

    void putAll() {
      for (int i = 0; i < KEYS; i++) {
        tree.put(key(i), new byte[VALUE_BYTES]);
      }
    }

    static byte[] key(int i) {
      return String.format("key%03d", i).getBytes(UTF_8);
    }

    CommitLog log() {
      return engine.open().storage().log();
    }

    // ---- The moment.

    void takeImages() {
      for (int i = 0; i < IMAGES; i++) {
        images.add(engine.open().storage().manifest().image(log()::endLsn, 7));
      }
    }

    /** How the write is made is no matter here. */
    void createAndWrite() {
      Tree made = engine.createTree("new");
      SwitchPoints.hold();
      made.put(key(0), new byte[10]);
      endOfFirstWrite = log().endLsn();
      SwitchPoints.release();
    }

    void writeAndFlush() {
      SwitchPoints.hold();
      tree.put(key(0), new byte[VALUE_BYTES]);
      SwitchPoints.release();
      tree.flush();
    }

    void requireOneMoment() {
      for (ManifestImage image : images) {
        for (ManifestImage.Table table : image.tables()) {
          assertThat(table.meta().lsns().max()).isLessThan(image.logEndLsn());
        }
      }
      images.stream()
          .filter(image -> image.logEndLsn() >= endOfFirstWrite)
          .findFirst()
          .ifPresent(this::requireNewTree);
    }

    private void requireNewTree(ManifestImage image) {
      sim.env().files().createDirectories(TARGET);
      image.publish(sim.env(), TARGET);
      try (Manifest copy = Manifest.open(sim.env(), TARGET)) {
        List<String> trees =
            copy.read(state -> state.trees().stream().map(TreeRecord::name).toList());
        assertThat(trees)
            .as("trees of a manifest whose log has a write to the new one")
            .contains("new");
      }
    }

    // ---- What the state names.

    /** The tables are merged, and the log is written over; how writes are made is no matter. */
    void replaceAll() {
      tree.compact();
      SwitchPoints.hold();
      putAll();
      SwitchPoints.release();
      tree.flush();
    }

    void requireWhole(Path directory) {
      try (Engine copy = Engine.open(sim.env(), directory, SmallEngine.config().build())) {
        for (int i = 0; i < KEYS; i++) {
          assertThat(copy.tree("t").get(key(i))).hasSize(VALUE_BYTES);
        }
      }
    }
  }

  /** A write to a tree is behind its creation, and a table behind the force of its writes. */
  @Test
  void theStateAndTheEndOfTheLogAreOfOneMoment() {
    Schedules.explore(
        SCHEDULES_OF_MOMENTS,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::takeImages, world::createAndWrite, world::writeAndFlush);
          Schedules.finish(
              sim,
              () -> {
                world.requireOneMoment();
                world.engine.close();
              });
        });
  }

  @Test
  void whatTheStateNamesStaysUntilItIsCopied() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(() -> world.engine.checkpoint(TARGET), world::replaceAll);
          Schedules.finish(
              sim,
              () -> {
                world.engine.close();
                world.requireWhole(TARGET);
              });
        });
  }
}
