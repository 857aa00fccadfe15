package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Simulation;
import org.loam.lsm.version.DiskVersion.Place;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Filters of tables above others let fewer keys pass that are not there. */
class FilterBitsTest {
  private static final int ENTRIES = 8_000;
  private static final int ABSENT = 100_000;

  private static byte[] key(String prefix, int i) {
    return String.format("%s%06d", prefix, i).getBytes(StandardCharsets.UTF_8);
  }

  private static void flush(TreeWorld world, LsmTree tree, String prefix, int lsn) {
    for (int i = 0; i < ENTRIES; i++) {
      world.write(tree, key(prefix, i), new byte[20], lsn + i);
    }
    world.freeze(tree, lsn + ENTRIES);
    assertThat(world.flushFrozen(tree)).isEqualTo(1);
  }

  /** Of absent keys, evenly spread over all hashes. */
  private static long passed(LiveTable table) {
    long step = Long.MAX_VALUE / ABSENT * 2;
    long passed = 0;
    for (int i = 0; i < ABSENT; i++) {
      passed += table.table().mightContain(i * step + i) ? 1 : 0;
    }
    return passed;
  }

  private static void requireLowest(LiveTable table) {
    assertThat(passed(table)).isBetween(ABSENT / 500L, ABSENT / 50L);
  }

  private static void requireAbove(LiveTable table) {
    assertThat(passed(table)).isLessThan(ABSENT / 1000);
  }

  private static void compact(TreeWorld world, LsmTree tree) {
    ComponentChanges components = world.components(tree);
    components.requestCompaction();
    while (components.isCompacting()) {
      assertThat(world.merge(tree)).isTrue();
    }
  }

  @Test
  void aTableAboveOthersHasTwiceTheBits() {
    var policy = new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT);
    var behaviour = TreeWorld.behaviour(policy, 64 << 10);
    try (Simulation sim = Simulation.seeded(1);
        TreeWorld world =
            new TreeWorld(
                sim,
                new TreeWorld.Sizes(4096, 1024, 64 << 20, 24, 16 << 10, 4),
                new TreeWorld.Host(() -> 1L << 40, TreeWorld.OPEN_GATE),
                behaviour)) {
      LsmTree tree = world.createTree("t", behaviour);
      flush(world, tree, "b", 1);
      requireLowest(tree.disk().tables().get(0));

      flush(world, tree, "b", 100_000);
      List<Place> both = tree.disk().places();
      assertThat(both).extracting(Place::level).containsExactly(Level.L0, Level.L0);
      requireAbove(both.get(0).table());
      requireLowest(both.get(1).table());

      compact(world, tree);
      assertThat(tree.disk().tables()).hasSize(1);
      requireLowest(tree.disk().tables().get(0));

      flush(world, tree, "a", 200_000);
      requireLowest(tree.disk().places().get(0).table());
    }
  }
}
