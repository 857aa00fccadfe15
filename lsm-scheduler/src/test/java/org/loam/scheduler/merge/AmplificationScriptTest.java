package org.loam.scheduler.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.scheduler.merge.PartitionedLeveling.Selection;
import org.loam.scheduler.merge.PartitionedLeveling.Settings;

/**
 * What merges write for an entry that is flushed: a tree of as many entries as it keeps, which are
 * overwritten at random, with a write memory of sixteen ranges that are flushed by turns. A range
 * has twice its mean when it is flushed.
 */
class AmplificationScriptTest {
  private static final int RANGES = 16;
  private static final int KEYS = 1_200 * RANGES;

  /** All entries are flushed so often before it counts, and again while it counts. */
  private static final int TIMES = 3;

  @TestFactory
  Stream<DynamicTest> amplification() {
    return Script.tests("amplification", () -> AmplificationScriptTest::interpret);
  }

  private static String interpret(Script.Command command) {
    if (!command.verb().equals("overwrite")) {
      throw command.unknown();
    }
    Settings settings =
        new Settings(
            command.number("ratio", 10),
            command.number("min", 4),
            command.number("min", 4),
            1.5,
            Selection.CHOOSE_BEST,
            false,
            true);
    Run run = new Run(new PartitionedLeveling(settings), command.number("memory", KEYS / 10));
    run.flushAll(KEYS / RANGES, 1);
    run.flushAll(run.flushEntries(), TIMES);
    run.tree.countFromNow();
    run.flushAll(run.flushEntries(), TIMES);
    assertThat(run.tree.shape(run.memoryEntries).lately().mergedDepth())
        .as("merges that keep up do not change the sizes of levels")
        .isLessThanOrEqualTo(settings.l0MinMerge());
    return String.format(
        Locale.ROOT,
        "%.1f merged for one that is flushed, %d below L0",
        run.tree.mergeAmplification(),
        run.tree.shape(run.memoryEntries).depth() - run.tree.shape(run.memoryEntries).l0Depth());
  }

  private static final class Run {
    private final Random random = new Random(1);
    private final ModelTree tree = new ModelTree(random, 1, KEYS / RANGES);
    private final PartitionedLeveling policy;
    private final int memoryEntries;

    Run(PartitionedLeveling policy, int memoryEntries) {
      this.policy = policy;
      this.memoryEntries = memoryEntries;
    }

    int flushEntries() {
      return 2 * memoryEntries / RANGES;
    }

    /** Flushes ranges by turns, as many entries as the tree has, several times. */
    void flushAll(int entries, int times) {
      long flushes = (long) times * KEYS / entries;
      for (int i = 0; i < flushes; i++) {
        flush(i % RANGES, entries);
        merge();
      }
    }

    private void flush(int range, int entries) {
      int first = range * (KEYS / RANGES);
      TreeSet<Integer> written = new TreeSet<>();
      while (written.size() < entries) {
        written.add(first + random.nextInt(KEYS / RANGES));
      }
      tree.flush(written, 0, 1);
    }

    /** Merges one after the other, as long as one is due. */
    private void merge() {
      for (TreeShape shape = tree.shape(memoryEntries); ; shape = tree.shape(memoryEntries)) {
        var plans = policy.plan(shape, RunMode.RUNNING);
        if (plans.isEmpty()) {
          return;
        }
        tree.finish(tree.start(plans.get(0), shape));
      }
    }
  }
}
