package org.loam.lsm;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.lsm.memory.MemoryLeveling;
import org.loam.lsm.memory.MemoryLeveling.Sizes;
import org.loam.lsm.memory.MemoryLeveling.Step;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.memory.RunBuilder;
import org.loam.lsm.merge.MemoryMergeStream;
import org.loam.lsm.merge.MemoryMergeStream.Part;
import org.loam.lsm.visibility.ReadRegistry;

/**
 * The merges in the write memory of a tree, which copy what readers still need. A merge goes
 * through a run step by step: each step merges a part of it with the few runs of the next level
 * that the part overlaps, and shows the result. Between two steps it holds nothing, and a run may
 * be flushed at any time. One thread at a time.
 *
 * <p>The memory of a step has a bound. The runs below have less than twice the size of a run
 * together, unless one of them is larger. What the step takes of the upper run ends at the first
 * key between runs below, or after them, once the copy has the size of two runs: also where nothing
 * is below. Only where one run below overlaps more of the upper run, all of that goes with it: at
 * most what is merged at once.
 */
final class MemoryMerges {
  /** A step ends when its copy has the size of so many runs. */
  private static final int RUNS_OF_STEP = 2;

  private final TreeState tree;

  MemoryMerges(TreeState tree) {
    this.tree = tree;
  }

  /**
   * Does a step.
   *
   * @return false if none is due, or if there is no memory for it
   */
  boolean step(Sizes sizes) {
    MemoryLevels levels = tree.version().levels;
    Step<MemoryRun> due = MemoryLeveling.next(levels.shape(), sizes);
    if (due == null) {
      return false;
    }
    tree.setMergingMemory(true);
    if (due.fromLevel() == 0) {
      // What is merged may be dropped, so the log must not lose what it was dropped for: it can
      // not when that is durable. What is below was durable when it was merged.
      tree.services().gate().awaitDurable(due.upper().component().maxLsn() + 1);
    }
    Step<MemoryRun> step = due;
    List<MemoryRun> made;
    int slot = tree.services().memoryEpochs().enter();
    try {
      // Inside the epoch what a version names stays. Flushes may have taken runs meanwhile.
      if (tree.version().levels.after(due, List.of()) == null) {
        return true;
      }
      if (due.isMove()) {
        made = List.of(due.upper());
      } else {
        ReadRegistry.Moment moment = tree.services().reads().capture();
        long most = RUNS_OF_STEP * sizes.runBytes();
        Part part = MemoryMergeStream.firstPart(due.upper(), due.lower(), due.end(), most, moment);
        step = due.upTo(part.end(), part.lower());
        made = copy(due.upper(), part, sizes.runBytes(), moment);
      }
    } finally {
      tree.services().memoryEpochs().exit(slot);
    }
    if (made == null) {
      return false;
    }
    if (show(levels, step, made)) {
      retire(step, made);
    } else {
      release(step, made);
    }
    return true;
  }

  /**
   * Puts runs in the place of the inputs of a step.
   *
   * @param levels for which the step was due
   * @return false if the inputs are not in memory any more
   */
  private boolean show(MemoryLevels levels, Step<MemoryRun> step, List<MemoryRun> made) {
    TreeVersion before;
    MemoryLevels after;
    do {
      before = tree.version();
      after = before.levels.after(step, made);
      if (after == null && before.levels == levels) {
        throw new AssertionError("a merge in memory that does not fit: " + step);
      }
      if (after == null) {
        return false;
      }
    } while (!tree.replaceVersion(before, before.withLevels(after)));
    return true;
  }

  /** The inputs, once no version names them. */
  private void retire(Step<MemoryRun> step, List<MemoryRun> made) {
    TreeServices.Memory memory = tree.services().memory();
    if (step.end() == null && !made.contains(step.upper())) {
      memory.retire(step.upper().component());
    }
    for (MemoryRun run : step.lower()) {
      if (!made.contains(run)) {
        memory.retire(run.component());
      }
    }
  }

  /** Gives back what was copied, which nothing else knows. */
  private static void release(Step<MemoryRun> step, List<MemoryRun> made) {
    made.stream()
        .filter(run -> !run.equals(step.upper()) && !step.lower().contains(run))
        .forEach(run -> run.component().release());
  }

  // ---- The copy.

  /** The runs that a step makes; null if there is no memory for them. Inside the memory epoch. */
  private @Nullable List<MemoryRun> copy(
      MemoryRun upper, Part part, long runBytes, ReadRegistry.Moment moment) {
    if (part.upperBytes() == 0) {
      return part.lower();
    }
    long bytes = part.bytes();
    long wanted = Math.max(1, (bytes + runBytes / 2) / runBytes);
    List<RunBuilder> builders = new ArrayList<>();
    boolean isDone = false;
    try (MemoryMergeStream entries =
        new MemoryMergeStream(upper, part.lower(), part.end(), moment)) {
      while (entries.next()) {
        boolean isFull =
            builders.isEmpty()
                || (builders.size() < wanted && last(builders).usedBytes() >= bytes / wanted);
        if (isFull && entries.isNewKey()) {
          builders.add(new RunBuilder(tree.newComponent()));
        }
        if (!last(builders).add(entries.entry(), entries.isNewKey())) {
          return null;
        }
      }
      isDone = true;
    } finally {
      if (!isDone) {
        builders.forEach(RunBuilder::abandon);
      }
    }
    tree.noteMergedInMemory(builders.stream().mapToLong(RunBuilder::usedBytes).sum());
    return builders.stream()
        .map(builder -> MemoryRun.of(builder.finish(), tree.services().memoryEpochs()))
        .toList();
  }

  private static RunBuilder last(List<RunBuilder> builders) {
    return builders.get(builders.size() - 1);
  }
}
