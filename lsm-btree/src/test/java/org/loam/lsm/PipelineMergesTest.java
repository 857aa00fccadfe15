package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.MemoryLeveling.Pipeline;
import org.loam.lsm.memory.MemoryRun;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Merges of the pipeline in the memory of a tree. */
class PipelineMergesTest {
  private static final Pipeline INDEX = new Pipeline(2, false);
  private static final Pipeline DATA = new Pipeline(2, true);
  private static final int VALUE_BYTES = 3000;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  private final Simulation sim = Simulation.seeded(1);
  private long nextLsn = 1;
  private long durableLsn;
  private Runnable beforeMerge = () -> {};
  private final TreeWorld world =
      new TreeWorld(
          sim, TreeWorld.Sizes.SMALL, new TreeWorld.Host(() -> nextLsn, new Gate()), BEHAVIOUR);
  private final LsmTree tree = world.createTree("t", BEHAVIOUR);
  private final TreeMap<byte[], byte[]> content = new TreeMap<>(TreeWorld.BYTES);

  /** Remembers for what was waited, and lets something happen meanwhile. */
  private final class Gate implements TreeServices.CommitGate {
    @Override
    public boolean mayFlush(long endLsn) {
      return true;
    }

    @Override
    public void awaitDurable(long endLsn) {
      durableLsn = Math.max(durableLsn, endLsn - 1);
      beforeMerge.run();
    }
  }

  @AfterEach
  void close() {
    world.close();
    sim.close();
  }

  /** Writes keys of one letter, and lets them be a run. */
  private void settle(String letters) {
    for (char letter : letters.toCharArray()) {
      byte[] key = String.valueOf(letter).getBytes(UTF_8);
      byte[] value = new byte[VALUE_BYTES];
      value[0] = (byte) nextLsn;
      world.write(tree, key, value, nextLsn++);
      content.put(key, value);
    }
    assertThat(world.settle(tree)).isTrue();
  }

  private boolean step(Pipeline merging) {
    return world.components(tree).mergeMemory(() -> merging);
  }

  private void check() {
    check(content, PointRead.LATEST_PUBLISHED);
  }

  private void check(TreeMap<byte[], byte[]> expected, long readLsn) {
    world.check(tree, expected, List.copyOf(content.keySet()), readLsn);
  }

  private int usedPages() {
    return world.writeQuota.usedPages();
  }

  @Test
  void aRunBecomesFlatAndTheThirdIsMergedWithTheOthers() {
    settle("abcd");
    assertThat(step(INDEX)).isTrue();
    assertThat(step(INDEX)).isFalse();
    settle("bd");
    assertThat(step(INDEX)).isTrue();
    assertThat(step(INDEX)).isFalse();
    assertThat(tree.runs()).hasSize(2).allMatch(MemoryRun::isFlat);
    assertThat(durableLsn).isZero();
    settle("ce");
    int before = usedPages();
    assertThat(step(INDEX)).isTrue();
    assertThat(step(INDEX)).isFalse();
    assertThat(tree.runs()).hasSize(1).allMatch(MemoryRun::isFlat);
    // One page of nodes takes the place of three.
    assertThat(usedPages()).isEqualTo(before - 2);
    assertThat(durableLsn).isEqualTo(8);
    check();
    world.freeze(tree, nextLsn);
    world.flushFrozen(tree);
    assertThat(usedPages()).isZero();
    check();
  }

  @Test
  void aCopyGivesBackWhatWasOverwritten() {
    for (int i = 0; i < 3; i++) {
      settle("abcdefgh");
    }
    int before = usedPages();
    assertThat(step(DATA)).isTrue();
    assertThat(step(DATA)).isFalse();
    assertThat(usedPages()).isLessThan(before / 2);
    check();
    assertThat(tree.minUnflushedLsn(List.of())).isEqualTo(17);
  }

  @Test
  void aSnapshotSeesThroughMergesAndAFlush() {
    for (Pipeline merging : List.of(INDEX, DATA)) {
      settle("abc");
      long first = world.reads.register();
      TreeMap<byte[], byte[]> atFirst = new TreeMap<>(content);
      settle("ab");
      long second = world.reads.register();
      TreeMap<byte[], byte[]> atSecond = new TreeMap<>(content);
      settle("ac");
      while (step(merging)) {
        check(atFirst, first);
        check(atSecond, second);
      }
      settle("a");
      settle("c");
      while (step(merging)) {
        check(atFirst, first);
        check(atSecond, second);
      }
      assertThat(tree.runs()).hasSize(1);
      world.freeze(tree, nextLsn);
      world.flushFrozen(tree);
      check(atFirst, first);
      check(atSecond, second);
      check();
      world.reads.release(first);
      world.reads.release(second);
    }
  }

  @Test
  void withoutRoomForACopyNothingChanges() {
    for (int i = 0; i < 3; i++) {
      settle("abcdefgh");
    }
    List<Long> taken = new ArrayList<>();
    while (usedPages() < world.writeQuota.targetPages()) {
      taken.add(world.writeQuota.allocate());
    }
    assertThat(step(DATA)).isFalse();
    assertThat(step(INDEX)).isFalse();
    check();
    assertThat(tree.runs()).hasSize(3);
    taken.forEach(world.writeQuota::free);
    assertThat(step(DATA)).isTrue();
    check();
  }

  @Test
  void aMergeWhoseRunsAreFlushedMeanwhileIsThrownAway() {
    for (Pipeline merging : List.of(INDEX, DATA)) {
      settle("abc");
      settle("ab");
      settle("c");
      beforeMerge =
          () -> {
            world.freeze(tree, nextLsn);
            beforeMerge = () -> {};
          };
      assertThat(step(merging)).isTrue();
      assertThat(tree.runs()).isEmpty();
      check();
      world.flushFrozen(tree);
      assertThat(usedPages()).isZero();
      check();
    }
  }

  @Test
  void levelsBecomeAPipeline() {
    settle("abcd");
    while (world.components(tree).mergeMemory(() -> MemoryMergesTest.SINGLE)) {
      check();
    }
    settle("abd");
    world.components(tree).mergeMemory(() -> MemoryMergesTest.SINGLE);
    check();
    while (step(INDEX)) {
      check();
    }
    assertThat(tree.runs()).hasSize(1);
    assertThat(tree.version().levels.shape().levels()).isEmpty();
  }
}
