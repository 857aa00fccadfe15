package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.loam.cache.ChunkReader;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.MemoryLeveling.Sizes;
import org.loam.scheduler.merge.PartitionedLeveling;
import org.loam.scheduler.work.BackgroundOperation;
import org.loam.scheduler.work.StepResult;

/**
 * A step of a merge ends after its quantum, however much of what it reads is dropped; and no
 * request of it is longer than a chunk.
 */
class MergeStepsTest {
  private static final int QUANTUM_BYTES = 64 << 10;

  /** What a step may move beyond its quantum: what a merge drops between two looks, and a page. */
  private static final int MORE_BYTES = 32 << 10;

  private static final int KEYS = 4000;
  private static final int VALUE_BYTES = 300;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 1 << 20);

  private final AtomicLong published = new AtomicLong(1);
  private final Simulation sim = Simulation.seeded(5);
  private final TreeWorld world =
      new TreeWorld(
          sim,
          new TreeWorld.Sizes(4096, 1024, 64 << 20, 24, 16 << 10, 4),
          new TreeWorld.Host(published::get, TreeWorld.OPEN_GATE),
          BEHAVIOUR);
  private final LsmTree tree = world.createTree("t", BEHAVIOUR);
  private final TreeMap<byte[], byte[]> content = new TreeMap<>(TreeWorld.BYTES);

  @AfterEach
  void close() {
    world.close();
    sim.close();
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private void put(int i, byte[] value) {
    world.write(tree, key(i), value, published.getAndIncrement());
    content.put(key(i), value);
  }

  private void delete(int i) {
    world.write(tree, key(i), null, published.getAndIncrement());
    content.remove(key(i));
  }

  private void flush() {
    world.freeze(tree, published.get());
    world.flushFrozen(tree);
  }

  private void check() {
    world.check(tree, content, List.copyOf(content.keySet()), PointRead.LATEST_PUBLISHED);
  }

  /** Puts all keys, then deletes those below one; both are on disk. */
  private void deleteBelow(int end) {
    for (int i = 0; i < KEYS; i++) {
      put(i, new byte[VALUE_BYTES]);
    }
    flush();
    for (int i = 0; i < end; i++) {
      delete(i);
    }
    flush();
  }

  private BackgroundOperation openCompaction() {
    world.components(tree).requestCompaction();
    return Objects.requireNonNull(world.openMerge(tree));
  }

  /** Steps to the end; returns how many steps that were. */
  private static int finish(BackgroundOperation merge) {
    int steps = 0;
    StepResult result = StepResult.MORE;
    while (result != StepResult.DONE) {
      long before = merge.transferredBytes();
      result = merge.step(QUANTUM_BYTES);
      steps++;
      assertThat(merge.transferredBytes() - before)
          .as("bytes of step %d", steps)
          .isLessThan(QUANTUM_BYTES + MORE_BYTES);
      if (result == StepResult.NEEDS_FORCE) {
        merge.force();
      }
    }
    return steps;
  }

  @Test
  void aMergeThatDropsAllTakesManySteps() {
    deleteBelow(KEYS);
    BackgroundOperation merge = openCompaction();
    long inputBytes = merge.remainingInputBytes();
    assertThat(merge.step(QUANTUM_BYTES)).isEqualTo(StepResult.MORE);
    assertThat(merge.transferredBytes())
        .isBetween((long) QUANTUM_BYTES, (long) QUANTUM_BYTES + MORE_BYTES);
    assertThat(merge.remainingInputBytes()).isEqualTo(inputBytes - merge.transferredBytes());
    assertThat(finish(merge)).isGreaterThan(KEYS * VALUE_BYTES / 2 / QUANTUM_BYTES);
    assertThat(tree.disk().runCount()).isZero();
    check();
  }

  @Test
  void aMergeKeepsWhatComesBehindThatWhichItDrops() {
    deleteBelow(KEYS - 1);
    finish(openCompaction());
    assertThat(tree.disk().runCount()).isOne();
    check();
  }

  /** A read of a client waits for the request before it. The buffers have 1.5 MiB for one run. */
  @Test
  void aMergeOfOneRunReadsOneMebibyteAtOnce() {
    for (int i = 0; i < KEYS; i++) {
      put(i, new byte[2 * VALUE_BYTES]);
    }
    delete(0);
    flush();
    BackgroundOperation merge = openCompaction();
    List<Long> lengths = new ArrayList<>();
    sim.faults()
        .add(
            Fault.of(FaultEffect.IO_ERROR)
                .on(IoKind.READ)
                .where(call -> lengths.add(call.length()) && false));
    finish(merge);
    sim.faults().clear();
    assertThat(Collections.max(lengths)).isEqualTo(ChunkReader.CHUNK_BYTES);
    check();
  }

  /** Writes one key so often that a merge of the runs drops more of it than it drops at once. */
  private void settleLarge(int keys) {
    for (int run = 0; run < 3; run++) {
      for (int i = 0; i < keys; i++) {
        put(i, new byte[20_000 + run]);
      }
      assertThat(world.settle(tree)).isTrue();
    }
  }

  @Test
  void aFlushOfRunsGoesOnBehindWhatItDrops() {
    settleLarge(8);
    world.freeze(tree, published.get());
    world.flushFrozen(tree);
    check();
  }

  @Test
  void aMergeInMemoryGoesOnBehindWhatItDrops() {
    settleLarge(8);
    while (world.components(tree).mergeMemory(() -> new Sizes(1 << 20, 1 << 20, 10))) {
      check();
    }
    check();
  }
}
