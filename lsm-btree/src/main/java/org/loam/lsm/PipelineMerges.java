package org.loam.lsm;

import java.util.List;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.PagePool;
import org.loam.lsm.memory.IndexMerge;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.MemoryLeveling.Pipeline;
import org.loam.lsm.memory.MemoryPipeline;
import org.loam.lsm.memory.MemoryRun;
import org.loam.lsm.memory.RunBuilder;
import org.loam.lsm.merge.MemoryMergeStream;
import org.loam.lsm.visibility.ReadRegistry;

/**
 * The merges of the pipeline in the write memory of a tree: each puts one run in the place of
 * several, or a flat one in the place of one. Nothing waits for a merge: it leaves the memory epoch
 * every few entries, so that memory comes back meanwhile. The runs may be flushed beside it, all of
 * them together; then it ends, and its result is thrown away. One thread at a time.
 */
final class PipelineMerges {
  /** About 50 µs of a merge. */
  private static final int STEP_ENTRIES = 256;

  private final TreeState tree;

  PipelineMerges(TreeState tree) {
    this.tree = tree;
  }

  /**
   * Does a merge.
   *
   * @param runs of the tree, newest first; it may have others meanwhile
   * @return false if none is due, or if there is no memory for it
   */
  boolean step(List<MemoryRun> runs, Pipeline pipeline) {
    List<MemoryRun> inputs = MemoryPipeline.next(runs, pipeline);
    if (inputs.isEmpty()) {
      return false;
    }
    if (inputs.size() == 1) {
      return index(inputs);
    }
    // What supersedes another version must not be lost with the end of the log.
    tree.services().gate().awaitDurable(maxLsn(inputs) + 1);
    return pipeline.copiesData() ? copy(inputs) : index(inputs);
  }

  private static long maxLsn(List<MemoryRun> inputs) {
    return inputs.stream().mapToLong(run -> run.component().maxLsn()).max().orElse(-1);
  }

  /** Puts a run in the place of others; false if these are not in memory any more. */
  private boolean show(List<MemoryRun> inputs, MemoryComponent made) {
    MemoryRun run = MemoryRun.of(made, tree.services().memoryEpochs()).flat();
    TreeVersion before;
    MemoryLevels after;
    do {
      before = tree.version();
      after = before.levels.merged(inputs, run);
      if (after == null) {
        return false;
      }
    } while (!tree.replaceVersion(before, before.withLevels(after)));
    return true;
  }

  /**
   * The stay of a merge in the memory epoch. Inside it what a version names stays, so that its
   * inputs are there as long as they were in memory when it last came in.
   */
  private final class Stay implements AutoCloseable {
    private static final int NONE = -1;

    private final List<MemoryRun> inputs;
    private int slot = NONE;
    private int entries;

    Stay(List<MemoryRun> inputs) {
      this.inputs = inputs;
      this.slot = epochs().enter();
    }

    private Epochs epochs() {
      return tree.services().memoryEpochs();
    }

    /** Whether no flush has taken the inputs. */
    boolean areInputsInMemory() {
      return tree.version().levels.all().containsAll(inputs);
    }

    /** After each entry; false if a flush has taken the inputs, which may be gone then. */
    boolean goesOn() {
      if (++entries % STEP_ENTRIES != 0) {
        return true;
      }
      close();
      epochs().collect();
      slot = epochs().enter();
      return areInputsInMemory();
    }

    @Override
    public void close() {
      int left = slot;
      if (left != NONE) {
        slot = NONE;
        epochs().exit(left);
      }
    }
  }

  // ---- The index alone.

  private boolean index(List<MemoryRun> inputs) {
    TreeServices services = tree.services();
    IndexMerge merge = new IndexMerge(inputs, tree.newComponent(), services.reads().capture());
    MemoryComponent made = null;
    boolean isShown = false;
    boolean isTaken = false;
    try (Stay stay = new Stay(inputs)) {
      // A flush may have taken the inputs meanwhile.
      if (!stay.areInputsInMemory()) {
        return true;
      }
      if (merge.build(stay::goesOn)) {
        made = merge.finish();
        isShown = show(inputs, made);
      } else {
        isTaken = !stay.areInputsInMemory();
      }
    } finally {
      if (!isShown) {
        services.memory().retire(merge.abandon());
      }
    }
    if (made != null && isShown) {
      tree.noteMergedInMemory(merge.indexBytes());
      merge.takeOver();
      retire(inputs);
    }
    return made != null || isTaken;
  }

  private void retire(List<MemoryRun> inputs) {
    inputs.forEach(run -> tree.services().memory().retire(run.component()));
  }

  // ---- A copy.

  private boolean copy(List<MemoryRun> inputs) {
    TreeServices services = tree.services();
    RunBuilder builder = new RunBuilder(tree.newComponent());
    boolean isCopied = false;
    boolean isShown = false;
    boolean isTaken = false;
    try (Stay stay = new Stay(inputs)) {
      if (!stay.areInputsInMemory()) {
        return true;
      }
      isCopied = hasRoom(inputs) && isCopied(inputs, builder, stay);
      if (isCopied) {
        isShown = show(inputs, builder.finish());
      } else {
        isTaken = !stay.areInputsInMemory();
      }
    } finally {
      if (!isShown) {
        services.memory().retire(builder.finish());
      }
    }
    if (isShown) {
      tree.noteMergedInMemory(builder.usedBytes());
      retire(inputs);
    }
    return isCopied || isTaken;
  }

  /** Whether a copy finds pages, as far as that can be told: so that few are begun in vain. */
  private boolean hasRoom(List<MemoryRun> inputs) {
    PagePool.Quota quota = tree.services().memory().writeMemory();
    long freePages = (long) quota.targetPages() - quota.usedPages();
    long bytes = inputs.stream().mapToLong(run -> run.component().liveBytes()).sum();
    return bytes <= freePages * tree.services().memory().pageBytes();
  }

  private boolean isCopied(List<MemoryRun> inputs, RunBuilder builder, Stay stay) {
    ReadRegistry.Moment moment = tree.services().reads().capture();
    try (MemoryMergeStream entries = MemoryMergeStream.of(inputs, moment)) {
      while (entries.next()) {
        if (!builder.add(entries.entry(), entries.isNewKey()) || !stay.goesOn()) {
          return false;
        }
      }
    }
    return true;
  }
}
