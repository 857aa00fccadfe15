package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.cache.ReadIntent;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.merge.PartitionedLeveling;

/** What a scan copies of write memory. */
class ScanMemoryTest {
  private static final int KEYS = 120;
  private static final int VALUE_BYTES = 10_000;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 1 << 20);

  private final Simulation sim = Simulation.seeded(1);
  private long nextLsn = 1;
  private final TreeWorld world =
      new TreeWorld(
          sim,
          TreeWorld.Sizes.SMALL,
          new TreeWorld.Host(() -> nextLsn, TreeWorld.OPEN_GATE),
          BEHAVIOUR);
  private final LsmTree tree = world.createTree("t", BEHAVIOUR);

  @AfterEach
  void close() {
    world.close();
    sim.close();
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  /** The first and the last key stay. */
  private void writeAndDelete() {
    for (int i = 0; i < KEYS; i++) {
      world.write(tree, key(i), new byte[VALUE_BYTES], nextLsn++);
    }
    world.freeze(tree, nextLsn);
    for (int i = 1; i < KEYS - 1; i++) {
      world.write(tree, key(i), null, nextLsn++);
    }
  }

  /** Else its heap would be as large as what was deleted and waits for its flush. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBatchEndsAfterMuchThatWasDeleted(boolean forward) {
    writeAndDelete();
    long readLsn = world.reads.register();
    TreeScan.Range range =
        new TreeScan.Range(null, null, forward, ReadIntent.QUERY, Long.MAX_VALUE);
    TreeScan scan = new TreeScan(tree, range, readLsn, new ScanBatch());
    for (int i : forward ? new int[] {0, KEYS - 1} : new int[] {KEYS - 1, 0}) {
      assertThat(world.next(scan)).isTrue();
      assertThat(TreeWorld.row(scan.batch()).getKey()).isEqualTo(key(i));
    }
    assertThat(world.next(scan)).isFalse();
    assertThat(scan.batch().isOfUsualSize()).as("the batch did not grow").isTrue();
    world.reads.release(readLsn);
  }
}
