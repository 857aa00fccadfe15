package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.cache.AccessClass;
import org.loam.cache.ReadIntent;
import org.loam.common.sim.Simulation;
import org.loam.lsm.version.DiskVersion;
import org.loam.scheduler.merge.PartitionedLeveling;

/**
 * A scan keeps its places in the runs from batch to batch while the disk part of the tree stays.
 */
class ScanPlacesTest {
  private static final int KEYS = 700;
  private static final int VALUE_BYTES = 300;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 1 << 20);

  private final AtomicLong published = new AtomicLong(1);
  private final Simulation sim = Simulation.seeded(5);
  private final TreeWorld world =
      new TreeWorld(
          sim,
          new TreeWorld.Sizes(4096, 1024, 4 << 20, 24, 16 << 10, 4),
          new TreeWorld.Host(published::get, TreeWorld.OPEN_GATE),
          BEHAVIOUR);
  private final LsmTree tree = world.createTree("t", BEHAVIOUR);
  private final TreeMap<byte[], byte[]> content = new TreeMap<>(Arrays::compareUnsigned);
  private final SplittableRandom random = new SplittableRandom(1);

  @AfterEach
  void close() {
    world.close();
    sim.close();
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private void write(int i, boolean isPut) {
    byte[] value = null;
    if (isPut) {
      value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      content.put(key(i), value);
    } else {
      content.remove(key(i));
    }
    world.write(tree, key(i), value, published.getAndIncrement());
  }

  private void load() {
    for (int i = 0; i < KEYS; i++) {
      write(i, true);
    }
    flush();
  }

  private void flush() {
    world.freeze(tree, published.get());
    world.flushFrozen(tree);
  }

  private void compact() {
    world.components(tree).requestCompaction();
    while (world.components(tree).isCompacting()) {
      assertThat(world.merge(tree)).isTrue();
    }
  }

  private TreeScan scan(boolean forward, long readLsn) {
    TreeScan.Range range =
        new TreeScan.Range(null, null, forward, ReadIntent.QUERY, Long.MAX_VALUE);
    return new TreeScan(tree, range, readLsn, new ScanBatch());
  }

  private long pins(AccessClass access) {
    return world.cache.statistics().hits().get(access)
        + world.cache.statistics().misses().get(access);
  }

  /** Moves to the first row of the next batch. */
  private void nextBatch(TreeScan scan) {
    while (scan.nextFetched()) {
      // Rows that were fetched before.
    }
    assertThat(world.next(scan)).isTrue();
  }

  /** How often the next batch went down from the root: that often more than from leaf to leaf. */
  private long descents(TreeScan scan) {
    long indexes = pins(AccessClass.META);
    long leaves = pins(AccessClass.QUERY);
    nextBatch(scan);
    long moves = pins(AccessClass.QUERY) - leaves - 1;
    return pins(AccessClass.META) - indexes - moves;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theNextBatchGoesDownFromTheRootOnlyIfTheDiskPartChanged(boolean forward) {
    load();
    compact();
    assertThat(tree.disk().runCount()).isOne();
    assertThat(tree.disk().run(0).size()).as("tables, so that leaves are counted").isOne();
    long readLsn = world.reads.register();
    TreeScan scan = scan(forward, readLsn);
    assertThat(descents(scan)).as("the first batch").isOne();
    assertThat(descents(scan)).as("the same disk part").isZero();
    write(0, true);
    world.freeze(tree, published.get());
    assertThat(descents(scan)).as("the same disk part of another version").isZero();
    DiskVersion before = tree.disk();
    flush();
    compact();
    assertThat(tree.disk()).isNotSameAs(before);
    assertThat(descents(scan)).as("another disk part").isOne();
    world.reads.release(readLsn);
  }

  @Test
  void nothingIsPinnedBetweenTwoBatches() {
    load();
    long readLsn = world.reads.register();
    TreeScan scan = scan(true, readLsn);
    List<Runnable> released = new ArrayList<>();
    nextBatch(scan);
    nextBatch(scan);
    assertThat(world.cache.statistics().pinnedFrames()).isZero();
    world.fileEpochs.retire(() -> released.add(null));
    world.memoryEpochs.retire(() -> released.add(null));
    assertThat(released).as("releases, which wait for whoever is inside").hasSize(2);
    world.reads.release(readLsn);
  }

  /** As for lack of memory; or the scan would stay inside the file epoch for good. */
  @Test
  void aPlaceThatCouldNotBeMadeIsNotLetGoOf() {
    load();
    ScanRuns runs = new ScanRuns(tree, null);
    assertThatThrownBy(() -> runs.begin(tree.disk(), null, world.workspace))
        .isInstanceOf(NullPointerException.class);
    runs.forget();
  }

  /** Whatever happens to the tree between two batches, the scan shows what there was. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void whateverHappensBetweenTwoBatchesItShowsTheSame(long seed) {
    SplittableRandom choices = new SplittableRandom(seed);
    load();
    for (int i = 0; i < KEYS; i += 1 + choices.nextInt(12)) {
      write(i, choices.nextInt(3) > 0);
    }
    boolean forward = choices.nextBoolean();
    TreeMap<byte[], byte[]> expected = new TreeMap<>(content);
    List<Map.Entry<byte[], byte[]>> rows = new ArrayList<>();
    long readLsn = world.reads.register();
    TreeScan scan = scan(forward, readLsn);
    while (world.next(scan)) {
      rows.add(TreeWorld.row(scan.batch()));
      while (scan.nextFetched()) {
        rows.add(TreeWorld.row(scan.batch()));
      }
      switch (choices.nextInt(5)) {
        case 0 -> flush();
        case 1 -> world.freeze(tree, published.get());
        case 2 -> compact();
        default -> {}
      }
      for (int i = choices.nextInt(20); i > 0; i--) {
        write(choices.nextInt(KEYS + 50), choices.nextInt(3) > 0);
      }
    }
    world.reads.release(readLsn);
    TreeWorld.checkRows(rows, forward ? expected : expected.descendingMap());
  }

  /** Puts keys at either end, and anti-matter at all between them. */
  private void loadAntiMatterBetween(int rowsAtEachEnd, int antiMatter) {
    for (int i = 0; i < antiMatter + 2 * rowsAtEachEnd; i++) {
      write(i, i < rowsAtEachEnd || i >= rowsAtEachEnd + antiMatter);
    }
    flush();
  }

  /** Goes through the next batch; returns its rows. */
  private List<Map.Entry<byte[], byte[]>> batch(TreeScan scan) {
    assertThat(scan.fetch(world.workspace)).isTrue();
    List<Map.Entry<byte[], byte[]>> rows = new ArrayList<>();
    while (scan.nextFetched()) {
      rows.add(TreeWorld.row(scan.batch()));
    }
    return rows;
  }

  /** Readers of files that go through deleted keys let replaced files go, and closes come. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBatchEndsAfterManyDeletedKeysAndTheNextOneGoesOnThere(boolean forward) {
    loadAntiMatterBetween(3, 2 * TreeScan.MAX_PASSED + 100);
    long readLsn = world.reads.register();
    TreeScan scan = scan(forward, readLsn);
    List<Map.Entry<byte[], byte[]>> rows = new ArrayList<>(batch(scan));
    assertThat(rows).hasSize(3);
    List<Runnable> released = new ArrayList<>();
    world.fileEpochs.retire(() -> released.add(null));
    assertThat(released).as("releases, which wait for all that are inside").hasSize(1);
    long indexes = pins(AccessClass.META);
    long leaves = pins(AccessClass.QUERY);
    assertThat(batch(scan)).as("rows of a batch of deleted keys").isEmpty();
    long moves = pins(AccessClass.QUERY) - leaves - 1;
    assertThat(pins(AccessClass.META) - indexes - moves).as("descents").isZero();
    rows.addAll(batch(scan));
    assertThat(scan.fetch(world.workspace)).isFalse();
    world.reads.release(readLsn);
    TreeWorld.checkRows(rows, forward ? content : content.descendingMap());
  }

  /** Each batch ends among deleted keys, whose records are in a run below. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whateverHappensWhileDeletedKeysArePassedItShowsTheSame(long seed) {
    SplittableRandom choices = new SplittableRandom(seed);
    int keys = 2 * TreeScan.MAX_PASSED;
    for (int i = 0; i < keys; i++) {
      write(i, true);
    }
    flush();
    for (int i = 0; i < keys; i++) {
      if (choices.nextInt(1000) > 0) {
        write(i, false);
      }
      if (i % TreeScan.MAX_PASSED == 0 && choices.nextBoolean()) {
        flush();
      }
    }
    boolean forward = choices.nextBoolean();
    TreeMap<byte[], byte[]> expected = new TreeMap<>(content);
    List<Map.Entry<byte[], byte[]>> rows = new ArrayList<>();
    long readLsn = world.reads.register();
    TreeScan scan = scan(forward, readLsn);
    int batches = 0;
    while (scan.fetch(world.workspace)) {
      batches++;
      while (scan.nextFetched()) {
        rows.add(TreeWorld.row(scan.batch()));
      }
      switch (choices.nextInt(4)) {
        case 0 -> flush();
        case 1 -> world.freeze(tree, published.get());
        case 2 -> compact();
        default -> {}
      }
      for (int i = choices.nextInt(20); i > 0; i--) {
        write(choices.nextInt(keys), choices.nextInt(3) > 0);
      }
    }
    world.reads.release(readLsn);
    assertThat(batches).isGreaterThan(2);
    TreeWorld.checkRows(rows, forward ? expected : expected.descendingMap());
  }
}
