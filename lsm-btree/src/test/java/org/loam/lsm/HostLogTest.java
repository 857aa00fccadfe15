package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Simulation;
import org.loam.common.sim.SoakSeeds;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Trees under a host's log (DESIGN: the seam for AsterixDB). */
@Tag("once")
class HostLogTest {
  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** One transaction is open: nothing it wrote goes to disk, and it can be taken back. */
  @Test
  void whatMayRollBackStaysInMemory() {
    HostLog log = new HostLog(new java.util.Random(1));
    try (Simulation sim = Simulation.seeded(1);
        TreeWorld world =
            new TreeWorld(
                sim, TreeWorld.Sizes.SMALL, new TreeWorld.Host(log::published, log), BEHAVIOUR)) {
      LsmTree tree = world.createTree("t", BEHAVIOUR);
      int first = log.begin();
      long old = write(world, tree, log, first, "k", "old");
      log.end(first, true);
      assertThat(HostedTree.durableThroughLsn(tree, log.endLsn())).isEqualTo(old - 1);

      int second = log.begin();
      long lsn = write(world, tree, log, second, "k", "new");
      int third = log.begin();
      write(world, tree, log, third, "other", "x");
      log.end(third, true);
      assertThat(world.freeze(tree, log.endLsn())).isTrue();
      assertThat(world.openFlush(tree)).isNull();
      assertThat(world.get(tree, bytes("k"), PointRead.LATEST_PUBLISHED)).isEqualTo(bytes("old"));
      assertThat(world.get(tree, bytes("other"), PointRead.LATEST_PUBLISHED)).isNull();
      assertThat(world.get(tree, bytes("k"), Long.MAX_VALUE)).isEqualTo(bytes("new"));

      assertThat(undo(world, tree, "k", lsn)).isTrue();
      assertThat(undo(world, tree, "k", lsn)).as("undone twice").isFalse();
      assertThat(undo(world, tree, "absent", lsn)).isFalse();
      log.end(second, false);
      assertThat(tree.hasFrozenBelow(log.endLsn())).isTrue();
      assertThat(world.flushFrozen(tree)).isEqualTo(1);
      assertThat(tree.hasFrozenBelow(log.endLsn())).isFalse();
      assertThat(HostedTree.durableThroughLsn(tree, log.endLsn())).isEqualTo(log.endLsn() - 1);
      assertThat(world.get(tree, bytes("k"), PointRead.LATEST_PUBLISHED)).isEqualTo(bytes("old"));
      assertThat(world.get(tree, bytes("other"), PointRead.LATEST_PUBLISHED)).isEqualTo(bytes("x"));
    }
  }

  /** All that a component held was taken back: there is nothing to write, and it goes. */
  @Test
  void aComponentMayEndUpEmpty() {
    HostLog log = new HostLog(new java.util.Random(2));
    try (Simulation sim = Simulation.seeded(2);
        TreeWorld world =
            new TreeWorld(
                sim, TreeWorld.Sizes.SMALL, new TreeWorld.Host(log::published, log), BEHAVIOUR)) {
      LsmTree tree = world.createTree("t", BEHAVIOUR);
      int transaction = log.begin();
      long lsn = write(world, tree, log, transaction, "k", "v");
      undo(world, tree, "k", lsn);
      log.end(transaction, false);
      world.freeze(tree, log.endLsn());
      assertThat(world.flushFrozen(tree)).isEqualTo(1);
      assertThat(tree.disk().runCount()).isZero();
      assertThat(world.get(tree, bytes("k"), Long.MAX_VALUE)).isNull();
    }
  }

  private static long write(
      TreeWorld world, LsmTree tree, HostLog log, int transaction, String key, String value) {
    long lsn = log.write(transaction, 0, key, bytes(value));
    world.write(tree, bytes(key), bytes(value), lsn);
    return lsn;
  }

  private static boolean undo(TreeWorld world, LsmTree tree, String key, long lsn) {
    int slot = world.memoryEpochs.enter();
    world.latch.lock();
    try {
      byte[] bytes = bytes(key);
      return HostedTree.undo(tree, world.workspace.putKey(bytes), bytes.length, lsn);
    } finally {
      world.latch.unlock();
      world.memoryEpochs.exit(slot);
    }
  }

  @Test
  void committedWritesSurviveAndOthersNever() {
    HostRun.Totals totals = new HostRun.Totals();
    for (long seed = 1; seed <= 40; seed++) {
      new HostRun(seed, totals).run(6);
    }
    assertThat(totals.crashes).isGreaterThan(80);
    assertThat(totals.commits).isGreaterThan(500);
    assertThat(totals.rollbacks).isGreaterThan(200);
    assertThat(totals.flushes).isGreaterThan(100);
    assertThat(totals.redone).isGreaterThan(100);
    assertThat(totals.truncations).isGreaterThan(100);
  }

  @Test
  @Tag("soak")
  void theSameForLong() {
    HostRun.Totals totals = new HostRun.Totals();
    SoakSeeds.some(500).forEach(seed -> new HostRun(seed, totals).run(8));
  }
}
