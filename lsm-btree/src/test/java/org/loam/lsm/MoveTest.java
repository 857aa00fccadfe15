package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.common.sim.Simulation;
import org.loam.lsm.version.LiveTable;
import org.loam.scheduler.merge.Level;
import org.loam.scheduler.merge.MergePlan;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.merge.RunMode;
import org.loam.scheduler.run.BackgroundOperation;

/** A table with nothing in its way is moved, unless much of it is anti-matter that nobody needs. */
class MoveTest {
  private static final int ENTRIES = 160;

  @ParameterizedTest(name = "{0} of 160 entries are anti-matter: left {1}")
  @CsvSource({"0, 0", "1, 1", "10, 10", "11, 0", "80, 0", "160, 0"})
  void muchAntiMatterIsDroppedOnTheWayToTheLastLevel(int antiMatter, int left) {
    var policy = new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT);
    var behaviour = TreeWorld.behaviour(policy, 64 << 10);
    try (Simulation sim = Simulation.seeded(1);
        TreeWorld world =
            new TreeWorld(
                sim,
                new TreeWorld.Sizes(4096, 512, 1 << 20, 24, 16 << 10, 4),
                new TreeWorld.Host(() -> ENTRIES + 1, TreeWorld.OPEN_GATE),
                behaviour)) {
      LsmTree tree = world.createTree("t", behaviour);
      for (int i = 0; i < ENTRIES; i++) {
        byte[] key = String.format("%04d", i * 7 % ENTRIES).getBytes(StandardCharsets.UTF_8);
        world.write(tree, key, i < antiMatter ? null : new byte[20], i + 1);
      }
      world.freeze(tree, ENTRIES + 1);
      TreeWorld.flushFrozen(tree);
      int flushed = tree.disk().tables().get(0).fileId();

      tree.requestCompaction();
      MergePlan plan = tree.mergePolicy().plan(tree.shape(), RunMode.RUNNING).get(0);
      assertThat(plan.kind()).isEqualTo(MergePlan.Kind.MOVE);
      BackgroundOperation move = tree.open(plan);
      assertThat(move).isNotNull();
      TreeWorld.finish(move);

      List<LiveTable> tables = tree.disk().tables();
      assertThat(tables.stream().mapToLong(t -> t.table().meta().antiMatterCount()).sum())
          .isEqualTo(left);
      assertThat(tables.stream().mapToLong(t -> t.table().meta().entryCount()).sum())
          .isEqualTo((long) ENTRIES - antiMatter + left);
      assertThat(tables.stream().anyMatch(t -> t.fileId() == flushed))
          .as("moved as it is")
          .isEqualTo(left == antiMatter);
      assertThat(tree.shape().l0()).isEmpty();
      assertThat(tree.shape().level(Level.LAST)).hasSize(antiMatter == ENTRIES ? 0 : 1);
      assertThat(tree.isCompacting()).isFalse();
    }
  }
}
