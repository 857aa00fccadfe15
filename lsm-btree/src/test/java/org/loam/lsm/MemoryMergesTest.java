package org.loam.lsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.sim.Simulation;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling;
import org.loam.lsm.memory.MemoryLeveling.Sizes;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.read.EntryCursor;
import org.loam.scheduler.merge.PartitionedLeveling;

/** Steps of merges in the memory of a tree. */
class MemoryMergesTest {
  /** A run has one key. */
  static final Sizes SINGLE = new Sizes(1 << 20, 1, 10);

  private static final TreeBehaviour BEHAVIOUR =
      TreeWorld.behaviour(new PartitionedLeveling(PartitionedLeveling.Settings.DEFAULT), 64 << 10);

  private final Simulation sim = Simulation.seeded(1);
  private long nextLsn = 1;
  private long durableLsn;
  private final TreeWorld world =
      new TreeWorld(
          sim, TreeWorld.Sizes.SMALL, new TreeWorld.Host(() -> nextLsn, new Gate()), BEHAVIOUR);
  private final LsmTree tree = world.createTree("t", BEHAVIOUR);
  private final TreeMap<byte[], byte[]> content = new TreeMap<>(TreeWorld.BYTES);

  /** Remembers for what was waited. */
  private final class Gate implements TreeServices.CommitGate {
    @Override
    public boolean mayFlush(long endLsn) {
      return true;
    }

    @Override
    public void awaitDurable(long endLsn) {
      durableLsn = Math.max(durableLsn, endLsn - 1);
    }
  }

  @AfterEach
  void close() {
    world.close();
    sim.close();
  }

  /** Writes keys of one letter, and lets them stay in memory. */
  private void settle(String letters) {
    for (char letter : letters.toCharArray()) {
      write(String.valueOf(letter), Long.toString(nextLsn).getBytes(UTF_8));
    }
    assertThat(world.settle(tree)).isTrue();
  }

  private void delete(String text) {
    byte[] key = text.getBytes(UTF_8);
    world.write(tree, key, null, nextLsn++);
    content.remove(key);
  }

  private void write(String text, byte[] value) {
    byte[] key = text.getBytes(UTF_8);
    world.write(tree, key, value, nextLsn++);
    content.put(key, value);
  }

  private boolean step() {
    return world.components(tree).mergeMemory(() -> SINGLE);
  }

  /** Does all steps that are due. */
  private void merge() {
    while (step()) {
      check();
    }
  }

  private void check() {
    world.check(tree, content, List.copyOf(content.keySet()), PointRead.LATEST_PUBLISHED);
  }

  private List<List<MemoryRun>> levels() {
    return tree.version().levels.shape().levels();
  }

  @Test
  void aRunGoesDownStepByStepAndIsGoneAfterTheLast() {
    settle("abcd");
    merge();
    assertThat(levels().get(0)).hasSize(4);
    settle("abd");
    for (int rest = 3; rest > 0; rest--) {
      assertThat(tree.version().levels.shape().waiting()).hasSize(1);
      assertThat(step()).isTrue();
      check();
    }
    // The part up to c came with that of b.
    assertThat(step()).isTrue();
    assertThat(step()).isFalse();
    assertThat(tree.version().levels.shape().waiting()).isEmpty();
    check();
  }

  /** An older version of it may be on disk. */
  @Test
  void aMergeKeepsThatAKeyIsDeleted() {
    settle("ab");
    world.freeze(tree, nextLsn);
    world.flushFrozen(tree);
    delete("a");
    settle("b");
    merge();
    assertThat(levels().get(0)).hasSize(2);
    check();
  }

  /** Whatever the level below looks like: nothing, a run in the middle, runs with a gap. */
  @ParameterizedTest
  @ValueSource(strings = {"", "100 101", "0 199"})
  void aStepCopiesAboutTwoRuns(String below) {
    for (String number : below.isEmpty() ? new String[0] : below.split(" ", -1)) {
      settleLarge(Integer.parseInt(number), Integer.parseInt(number) + 1);
      assertThat(stepsOfPages()).isEqualTo(1);
    }
    settleLarge(0, 200);
    assertThat(stepsOfPages()).isBetween(6, 9);
    assertThat(tree.version().levels.shape().waiting()).isEmpty();
    assertThat(entriesInLevels()).isEqualTo(200);
  }

  private void settleLarge(int first, int end) {
    for (int number = first; number < end; number++) {
      write(String.format(Locale.ROOT, "%03d", number), new byte[1000]);
    }
    assertThat(world.settle(tree)).isTrue();
  }

  /** Merges in runs of four pages, and says in how many steps. */
  private int stepsOfPages() {
    Sizes pages = new Sizes(1 << 20, 16 << 10, 10);
    int steps = 0;
    int entries = entriesInLevels();
    while (world.components(tree).mergeMemory(() -> pages)) {
      check();
      int now = entriesInLevels();
      // An entry takes less than 1050 bytes, and a run below has one.
      assertThat(now - entries).isLessThan(2 + (32 << 10) / 1000);
      entries = now;
      steps++;
    }
    return steps;
  }

  private int entriesInLevels() {
    return levels().stream().flatMap(List::stream).mapToInt(this::entries).sum();
  }

  private int entries(MemoryRun run) {
    int entries = 0;
    int slot = world.memoryEpochs.enter();
    try (EntryCursor cursor = run.cursor(Long.MAX_VALUE)) {
      for (boolean found = cursor.first(); found; found = cursor.next()) {
        entries++;
      }
    } finally {
      world.memoryEpochs.exit(slot);
    }
    return entries;
  }

  /** What is merged of a run that waits is still in it, before the keys of newer runs. */
  @Test
  void aScanPassesTheKeysOfARunThatAreMergedOnce() {
    settle("abcd");
    merge();
    settle("abcd");
    assertThat(step()).isTrue();
    settle("a");
    assertThat(tree.version().levels.shape().waiting()).hasSize(2);
    assertThat(tree.version().levels.shape().waiting().get(1).isBegun()).isTrue();
    check();
    world.freeze(tree, nextLsn);
    world.flushFrozen(tree);
    check();
  }

  /** What superseded a version that is dropped must not be lost with the end of the log. */
  @Test
  void whatIsMergedIsDurable() {
    settle("ab");
    settle("a");
    step();
    assertThat(durableLsn).isEqualTo(2);
    while (step()) {
      // The second run, step by step.
    }
    assertThat(durableLsn).isEqualTo(3);
  }

  @Test
  void theOldestWriteOfARunIsThatOfTheVersionsItKept() {
    settle("aa");
    settle("b");
    settle("a");
    assertThat(tree.minUnflushedLsn(List.of())).isEqualTo(1);
    while (step()) {
      check();
    }
    assertThat(tree.minUnflushedLsn(List.of())).isEqualTo(3);
  }

  @Test
  void runsOfTheLastLevelAreFlushedInTurn() {
    settle("abcd");
    merge();
    assertThat(world.freezeFirst(tree, nextLsn, 2)).isTrue();
    assertThat(world.flushFrozen(tree)).isEqualTo(1);
    settle("a");
    step();
    assertThat(names(tree.freezes().flushOrder())).containsExactly("c", "d", "a");
    assertThat(tree.freezes().partlyFlushedBytes()).isPositive();
    check();
  }

  /** Or a reader would find an old version in memory before a newer one on disk. */
  @Test
  void aRunLeavesMemoryWithTheOlderOnesThatItOverlaps() {
    settle("abcd");
    merge();
    settle("b");
    assertThat(world.freezeNewest(tree, nextLsn)).isTrue();
    assertThat(levels().get(0)).hasSize(3);
    world.flushFrozen(tree);
    check();
    assertThat(tree.freezes().partlyFlushedBytes()).as("for the sake of memory").isZero();
  }

  /** Also what had to go along, and nothing that a merge has replaced before. */
  @Test
  void aFreezeTellsWhatItTook() {
    settle("abcd");
    MemoryComponent replaced = tree.runs().get(0).component();
    merge();
    settle("b");
    MemoryComponent newest = tree.runs().get(0).component();
    List<Freezes.FrozenPart> frozen =
        world.freeze(tree, nextLsn, FlushCause.LOG, Set.of(newest, replaced));
    // What takes writes is the first one, and the level of a, b, c and d follows the newest run.
    assertThat(frozen).extracting(Freezes.FrozenPart::number).containsExactly(2, 4);
    assertThat(frozen).extracting(Freezes.FrozenPart::count).containsOnly(6);
    assertThat(frozen).extracting(Freezes.FrozenPart::minLsn).containsExactly(5L, 2L);
    assertThat(frozen.stream().mapToLong(Freezes.FrozenPart::usedBytes).sum())
        .isEqualTo(tree.frozenBytes());
    assertThat(world.freeze(tree, nextLsn, FlushCause.LOG, Set.of(replaced))).isEmpty();
  }

  /**
   * A newer version of a key that is merged out of a run may leave memory before the rest of it.
   */
  @Test
  void whatIsMergedOfARunIsNeitherReadNorFlushedThereAnyMore() {
    settle("abcd");
    merge();
    settle("abcd");
    // All of it becomes a level of one run, of which a is merged into the level below.
    assertThat(world.components(tree).mergeMemory(() -> new Sizes(1, 1 << 20, 2))).isTrue();
    assertThat(world.components(tree).mergeMemory(() -> new Sizes(1, 1, 10))).isTrue();
    settle("a");
    assertThat(step()).isTrue();
    assertThat(levels().get(0)).extracting(MemoryRun::isBegun).containsExactly(false, true);
    check();
    assertThat(names(tree.freezes().flushOrder())).containsExactly("a", "b", "c", "d", "a", "b");
    assertThat(world.freezeFirst(tree, nextLsn, 5)).isTrue();
    check();
    world.flushFrozen(tree);
    assertThat(tree.runs()).hasSize(1);
    check();
    world.freeze(tree, nextLsn);
    assertThat(world.flushFrozen(tree)).isEqualTo(1);
    check();
  }

  @Test
  void aFlushOfAllMergesTheRuns() {
    settle("abcd");
    merge();
    settle("abcd");
    settle("bc");
    world.freeze(tree, nextLsn);
    assertThat(tree.runs()).isEmpty();
    assertThat(world.flushFrozen(tree)).isEqualTo(1);
    assertThat(tree.disk().entries()).isEqualTo(4);
    check();
  }

  private static List<String> names(List<? extends MemoryLeveling.Run> runs) {
    return runs.stream()
        .map(run -> run.keys().low())
        .map(low -> low == null ? "" : new String(low, UTF_8))
        .toList();
  }
}
