package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.cache.AccessClass;
import org.loam.cache.ReadIntent;
import org.loam.common.sim.Simulation;
import org.loam.lsm.disk.Reach;
import org.loam.scheduler.merge.PartitionedLeveling;

/**
 * A scan takes rows that lie side by side in a leaf at once, up to the next entry of another run or
 * of memory. Versions, anti-matter and values in overflow pages stand between them, and ends and
 * limits of scans lie there.
 */
class ScanLeafRowsTest {
  private static final int KEYS = 600;
  private static final int PAGE_BYTES = 4096;

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 4 << 20);

  private final AtomicLong published = new AtomicLong(1);
  private final Simulation sim = Simulation.seeded(9);
  private final TreeWorld world =
      new TreeWorld(
          sim,
          new TreeWorld.Sizes(PAGE_BYTES, 2048, 4 << 20, 24, 16 << 10, 4),
          new TreeWorld.Host(published::get, TreeWorld.OPEN_GATE),
          BEHAVIOUR);
  private final LsmTree tree = world.createTree("t", BEHAVIOUR);
  private final TreeMap<byte[], byte[]> content = new TreeMap<>(Arrays::compareUnsigned);

  @AfterEach
  void close() {
    world.close();
    sim.close();
  }

  private static byte[] key(int i) {
    return String.format(i % 7 == 0 ? "key%05d and more" : "key%05d", i).getBytes(UTF_8);
  }

  private void write(SplittableRandom random, int i) {
    byte[] value = null;
    if (random.nextInt(8) == 0) {
      content.remove(key(i));
    } else {
      int most = random.nextInt(40) == 0 ? 2 * PAGE_BYTES : random.nextInt(10) == 0 ? 1 : 300;
      value = new byte[random.nextInt(most)];
      random.nextBytes(value);
      content.put(key(i), value);
    }
    world.write(tree, key(i), value, published.getAndIncrement());
  }

  private void flush() {
    world.freeze(tree, published.get());
    world.flushFrozen(tree);
  }

  private void compact() {
    flush();
    world.components(tree).requestCompaction();
    while (world.components(tree).isCompacting()) {
      assertThat(world.merge(tree)).isTrue();
    }
    assertThat(tree.disk().runCount()).isOne();
  }

  /** One run with one version of each key. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void oneVersionOfEachKey(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < KEYS; i++) {
      write(random, i);
    }
    compact();
    long readLsn = world.reads.register();
    scanRanges(random, readLsn, content);
    world.reads.release(readLsn);
  }

  /** Batches before the row of a large value in memory must not each have a copy of it. */
  @Test
  void aLargeValueInMemoryIsCopiedWhenItsRowComes() {
    for (int i = 0; i < KEYS; i++) {
      content.put(key(i), new byte[300]);
      world.write(tree, key(i), new byte[300], published.getAndIncrement());
    }
    compact();
    byte[] large = new byte[MemoryInput.LATE_BYTES + 1];
    large[5] = 1;
    content.put(key(KEYS), large);
    world.write(tree, key(KEYS), large, published.getAndIncrement());
    long readLsn = world.reads.register();
    TreeScan scan =
        new TreeScan(
            tree,
            new TreeScan.Range(null, null, true, ReadIntent.QUERY, Long.MAX_VALUE),
            readLsn,
            new ScanBatch());
    int rows = 0;
    while (world.next(scan)) {
      rows++;
      // The last batch has the large row.
      assertThat(scan.batch().isOfUsualSize() || rows > KEYS / 2).as("row %d", rows).isTrue();
      byte[] value = new byte[scan.batch().valueLength()];
      scan.batch().copyValue(value, 0);
      assertThat(value).hasSize(rows <= KEYS ? 300 : large.length);
      assertThat(value[5]).isEqualTo((byte) (rows <= KEYS ? 0 : 1));
    }
    assertThat(rows).isEqualTo(KEYS + 1);
    world.reads.release(readLsn);
  }

  /** The batch ends before it then, and the next one finds it on disk. */
  @Test
  void aLargeValueIsNotCopiedOutOfMemoryThatWasFlushedMeanwhile() {
    world.write(tree, key(1), new byte[MemoryInput.LATE_BYTES + 1], published.getAndIncrement());
    long readLsn = world.reads.register();
    TreeScan.Range all = new TreeScan.Range(null, null, true, ReadIntent.QUERY, Long.MAX_VALUE);
    for (boolean flushes : new boolean[] {false, true}) {
      ScanBatch batch = new ScanBatch();
      ScanMemory memory = new ScanMemory(tree, new ScanProgress(all, readLsn), batch);
      memory.copy(world.workspace, new MemoryInput.Scratch(world.workspace.scratch(), PAGE_BYTES));
      assertThat(memory.inputs()).hasSize(1);
      if (flushes) {
        flush();
      }
      memory.inputs()[0].addTo(batch);
      assertThat(batch.count()).isEqualTo(flushes ? 0 : 1);
      assertThat(memory.isCutShort()).isEqualTo(flushes);
      memory.close();
    }
    world.reads.release(readLsn);
  }

  /** A scan up to a key, in one batch, pins the leaves that it would pin with the key's row. */
  @Test
  void anEndIsSeenWithoutTheLeafBehindIt() {
    for (int i = 0; i < KEYS; i++) {
      content.put(key(i), new byte[300]);
      world.write(tree, key(i), new byte[300], published.getAndIncrement());
    }
    compact();
    long readLsn = world.reads.register();
    int rows = 0;
    for (byte[] end : content.headMap(key(400)).keySet()) {
      rows++;
      long upToEnd = leavesOf(new TreeScan.Range(null, end, true, ReadIntent.QUERY, KEYS), readLsn);
      long limited =
          leavesOf(new TreeScan.Range(null, null, true, ReadIntent.QUERY, rows), readLsn);
      assertThat(upToEnd).as("leaves up to row %s", rows).isEqualTo(limited);
    }
    world.reads.release(readLsn);
  }

  /** How many leaves a scan pins. */
  private long leavesOf(TreeScan.Range range, long readLsn) {
    long before = pins();
    TreeScan scan = new TreeScan(tree, range, readLsn, new ScanBatch());
    while (world.next(scan)) {
      // Only what it reads counts.
    }
    return pins() - before;
  }

  private long pins() {
    return world.cache.statistics().hits().get(AccessClass.QUERY)
        + world.cache.statistics().misses().get(AccessClass.QUERY);
  }

  /** Streaks of the lowest run lie between entries of other runs and of memory. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  void streaksBetweenEntriesOfOthers(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < KEYS; i++) {
      write(random, i);
    }
    compact();
    for (int run = 0; run < 3; run++) {
      for (int i = random.nextInt(40); i < KEYS; i += 1 + random.nextInt(60)) {
        for (int more = random.nextInt(12); more >= 0 && i < KEYS; more--) {
          write(random, i++);
        }
      }
      if (run < 2 || random.nextBoolean()) {
        flush();
      }
    }
    assertThat(tree.disk().runCount()).isGreaterThan(1);
    long readLsn = world.reads.register();
    scanRanges(random, readLsn, content);
    world.reads.release(readLsn);
  }

  @Test
  void aStreakEndsBeforeTheEntryOfTheOthers() {
    for (int i = 0; i < 20; i++) {
      world.write(tree, key(i), new byte[50], published.getAndIncrement());
    }
    flush();
    long readLsn = world.reads.register();
    TreeScan.Range all = new TreeScan.Range(null, null, true, ReadIntent.QUERY, Long.MAX_VALUE);
    ScanProgress progress = new ScanProgress(all, readLsn);
    ScanBatch batch = new ScanBatch();
    try (RunInput run = new RunInput(tree.disk().run(0), progress);
        RunInput others = new RunInput(tree.disk().run(0), progress)) {
      run.first(Reach.UNKNOWN);
      world.workspace.putKey(key(6));
      others.seek(world.workspace.key(), key(6).length, Reach.UNKNOWN);
      assertThat(run.addStreakTo(batch, others)).isTrue();
      assertThat(batch.count()).isEqualTo(6);
      assertThat(batch.lastKey()).isEqualTo(key(5));
      assertThat(run.next()).isTrue();
      assertThat(run.keyLength()).isEqualTo(key(6).length);
      assertThat(run.addStreakTo(batch, null)).isTrue();
      assertThat(batch.count()).isEqualTo(20);
    }
    world.reads.release(readLsn);
  }

  /** One run with versions that older scans need, and now and then a few newer entries above it. */
  @ParameterizedTest
  @ValueSource(longs = {5, 6, 7, 8, 9, 10})
  void versionsThatOlderScansNeed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> readLsns = new ArrayList<>();
    List<TreeMap<byte[], byte[]>> contents = new ArrayList<>();
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < KEYS; i += 1 + random.nextInt(1 + 5 * round)) {
        write(random, i);
      }
      readLsns.add(world.reads.register());
      contents.add(new TreeMap<>(content));
    }
    compact();
    boolean hasNewer = random.nextBoolean();
    for (int i = random.nextInt(KEYS); hasNewer && i < KEYS; i += 40) {
      write(random, i);
    }
    if (random.nextBoolean()) {
      flush();
    }
    readLsns.add(world.reads.register());
    contents.add(content);
    for (int i = 0; i < readLsns.size(); i++) {
      scanRanges(random, readLsns.get(i), contents.get(i));
    }
    readLsns.forEach(world.reads::release);
  }

  private void scanRanges(
      SplittableRandom random, long readLsn, NavigableMap<byte[], byte[]> expected) {
    for (int i = 0; i < 60; i++) {
      int low = random.nextInt(KEYS);
      int high = low + random.nextInt(1 + KEYS - low);
      byte[] from = random.nextInt(4) == 0 ? null : key(low);
      byte[] to = random.nextInt(4) == 0 ? null : key(high);
      long limit = random.nextInt(3) == 0 ? Long.MAX_VALUE : random.nextInt(150);
      boolean forward = random.nextBoolean();
      TreeScan.Range range = new TreeScan.Range(from, to, forward, ReadIntent.QUERY, limit);
      check(range, readLsn, part(expected, from, to));
    }
  }

  private static NavigableMap<byte[], byte[]> part(
      NavigableMap<byte[], byte[]> all, byte @Nullable [] from, byte @Nullable [] to) {
    NavigableMap<byte[], byte[]> above = from == null ? all : all.tailMap(from, true);
    if (to == null) {
      return above;
    }
    boolean isEmpty = from != null && Arrays.compareUnsigned(from, to) >= 0;
    return isEmpty ? new TreeMap<>(Arrays::compareUnsigned) : above.headMap(to, false);
  }

  private void check(TreeScan.Range range, long readLsn, NavigableMap<byte[], byte[]> part) {
    TreeScan scan = new TreeScan(tree, range, readLsn, new ScanBatch());
    List<Map.Entry<byte[], byte[]>> rows = new ArrayList<>();
    while (world.next(scan)) {
      rows.add(TreeWorld.row(scan.batch()));
    }
    TreeMap<byte[], byte[]> expected =
        new TreeMap<>(range.forward() ? TreeWorld.BYTES : TreeWorld.BYTES.reversed());
    for (Map.Entry<byte[], byte[]> one :
        (range.forward() ? part : part.descendingMap()).entrySet()) {
      if (expected.size() < range.limit()) {
        expected.put(one.getKey(), one.getValue());
      }
    }
    TreeWorld.checkRows(rows, expected);
  }
}
