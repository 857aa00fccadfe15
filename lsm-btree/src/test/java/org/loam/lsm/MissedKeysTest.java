package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.loam.cache.ReadIntent;
import org.loam.common.codec.Hash64;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Of which reads an engine learns that they missed a page. */
class MissedKeysTest {
  /** Keys of which it wants to know. */
  private static final Set<Integer> WANTED = Set.of(0, 40, 80, 99);

  private final List<Integer> told = new ArrayList<>();

  /** Of these a smaller cache would miss the page. */
  private final List<Integer> wouldBeTold = new ArrayList<>();

  private long nextLsn = 1;

  private interface Body {
    void run(TreeWorld world, LsmTree tree);
  }

  private void inTree(Body body) {
    var policy =
        new PartitionedLeveling(
            new PartitionedLeveling.Settings(
                10, 4, 4, 1.5, PartitionedLeveling.Selection.CHOOSE_BEST, true, true));
    var behaviour = TreeWorld.behaviour(policy, 512 << 10);
    try (Simulation sim = Simulation.seeded(1);
        TreeWorld world =
            new TreeWorld(
                sim,
                TreeWorld.Sizes.SMALL,
                new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE),
                behaviour)) {
      LsmTree tree = world.createTree("t", behaviour);
      world.missedKeys = new Told(tree.treeId());
      body.run(world, tree);
    }
  }

  private final class Told implements TreeServices.MissedKeys {
    private final int expectedTree;

    Told(int expectedTree) {
      this.expectedTree = expectedTree;
    }

    @Override
    public boolean wants(int treeId, long hash) {
      return treeId == expectedTree && WANTED.stream().anyMatch(i -> hash == hash(i));
    }

    @Override
    public void missed(int treeId, long hash, double usedSince) {
      assertThat(wants(treeId, hash)).isTrue();
      (Double.isInfinite(usedSince) ? told : wouldBeTold)
          .add(WANTED.stream().filter(i -> hash == hash(i)).findFirst().orElseThrow());
    }
  }

  private static byte[] key(int i) {
    return new byte[] {1, (byte) i};
  }

  private static long hash(int i) {
    return Hash64.of(key(i), 0, 2);
  }

  /** Several keys have a page. */
  private void write(TreeWorld world, LsmTree tree, int from, int to) {
    for (int i = from; i < to; i++) {
      world.write(tree, key(i), new byte[500], nextLsn++);
    }
  }

  private void flush(TreeWorld world, LsmTree tree) {
    assertThat(world.freeze(tree, nextLsn)).isTrue();
    assertThat(world.flushFrozen(tree)).isPositive();
  }

  private static void read(TreeWorld world, LsmTree tree, int i, ReadIntent intent) {
    PointRead read = world.read;
    byte[] key = key(i);
    read.find(tree, world.workspace.putKey(key), key.length, PointRead.LATEST_PUBLISHED, intent);
    read.release();
  }

  @Test
  void aWantedKeyIsToldIfItsPageIsRead() {
    inTree(
        (world, tree) -> {
          write(world, tree, 0, 100);
          read(world, tree, 99, ReadIntent.QUERY);
          assertThat(told).as("in write memory").isEmpty();
          flush(world, tree);
          read(world, tree, 99, ReadIntent.QUERY);
          assertThat(told).as("in the cache since the flush: a reader wanted it").isEmpty();
          read(world, tree, 40, ReadIntent.QUERY);
          read(world, tree, 60, ReadIntent.QUERY);
          read(world, tree, 80, ReadIntent.QUERY);
          assertThat(told).containsExactly(40, 80);
          read(world, tree, 40, ReadIntent.QUERY);
          read(world, tree, 41, ReadIntent.QUERY);
          read(world, tree, 80, ReadIntent.QUERY);
          assertThat(told).as("in the cache").containsExactly(40, 80);
        });
  }

  /** It is told, if the cache's observer knows how long ago the page was used. */
  @Test
  void aWantedKeyWhosePageASmallerCacheWouldMissIsTold() {
    inTree(
        (world, tree) -> {
          write(world, tree, 0, 100);
          flush(world, tree);
          read(world, tree, 40, ReadIntent.QUERY);
          read(world, tree, 40, ReadIntent.QUERY);
          assertThat(wouldBeTold).as("not known").isEmpty();
          world.usedSince = 7;
          read(world, tree, 80, ReadIntent.QUERY);
          assertThat(wouldBeTold).as("not in the cache").isEmpty();
          read(world, tree, 40, ReadIntent.QUERY);
          read(world, tree, 41, ReadIntent.QUERY);
          read(world, tree, 40, ReadIntent.query(false));
          assertThat(wouldBeTold).containsExactly(40);
          assertThat(told).containsExactly(40, 80);
        });
  }

  /** The page that an unwanted key has read is there for a wanted one. */
  @Test
  void whatAnotherReadBroughtIsNotMissed() {
    inTree(
        (world, tree) -> {
          write(world, tree, 0, 100);
          flush(world, tree);
          read(world, tree, 41, ReadIntent.QUERY);
          read(world, tree, 40, ReadIntent.QUERY);
          assertThat(told).isEmpty();
        });
  }

  @Test
  void aReadThatKeepsNothingIsNotTold() {
    inTree(
        (world, tree) -> {
          write(world, tree, 0, 100);
          flush(world, tree);
          read(world, tree, 40, ReadIntent.query(false));
          assertThat(told).isEmpty();
        });
  }

  /** The newer table has it, and the older one is not looked at. */
  @Test
  void aKeyIsToldOnceForAllItsTables() {
    inTree(
        (world, tree) -> {
          write(world, tree, 0, 100);
          flush(world, tree);
          write(world, tree, 0, 100);
          flush(world, tree);
          read(world, tree, 99, ReadIntent.QUERY);
          read(world, tree, 0, ReadIntent.QUERY);
          assertThat(told).containsExactly(99, 0);
        });
  }
}
