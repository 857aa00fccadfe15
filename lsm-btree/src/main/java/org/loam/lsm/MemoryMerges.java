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
import org.loam.lsm.visibility.ReadRegistry;

/**
 * The merges in the write memory of a tree, which copy what readers still need. A merge goes
 * through a run step by step: each step merges a part of it with the few runs of the next level
 * that the part overlaps, and shows the result. So it needs little memory beside its inputs, and
 * nothing is waiting for it: between two steps it holds nothing, and a run may be flushed at any
 * time. One thread at a time.
 */
final class MemoryMerges {
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
    if (due.fromLevel() == 0) {
      // What is merged may be dropped, so the log must not lose what it was dropped for: it can
      // not when that is durable. What is below was durable when it was merged.
      tree.services().gate().awaitDurable(due.upper().component().maxLsn() + 1);
    }
    List<MemoryRun> made;
    int slot = tree.services().memoryEpochs().enter();
    try {
      // Inside the epoch what a version names stays. Flushes may have taken runs meanwhile.
      if (tree.version().levels.after(due, List.of()) == null) {
        return true;
      }
      made = due.isMove() ? List.of(due.upper()) : copy(due, sizes.runBytes());
    } finally {
      tree.services().memoryEpochs().exit(slot);
    }
    if (made == null) {
      return false;
    }
    if (show(levels, due, made)) {
      retire(due, made);
    } else {
      // Nothing else knows what was copied.
      made.stream()
          .filter(run -> !run.equals(due.upper()) && !due.lower().contains(run))
          .forEach(run -> run.component().release());
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

  // ---- The copy.

  /** The runs that a step makes; null if there is no memory for them. Inside the memory epoch. */
  private @Nullable List<MemoryRun> copy(Step<MemoryRun> step, long runBytes) {
    ReadRegistry.Moment moment = tree.services().reads().capture();
    long upperBytes = MemoryMergeStream.bytes(step.upper(), step.end(), moment);
    if (upperBytes == 0) {
      return step.lower();
    }
    long bytes = upperBytes;
    for (MemoryRun run : step.lower()) {
      bytes += run.component().liveBytes();
    }
    long wanted = Math.max(1, (bytes + runBytes / 2) / runBytes);
    List<RunBuilder> builders = new ArrayList<>();
    boolean isDone = false;
    try (MemoryMergeStream entries =
        new MemoryMergeStream(step.upper(), step.lower(), step.end(), moment)) {
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
