package org.loam.engine.background;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.WokenThread;
import org.loam.common.error.StorageException;
import org.loam.lsm.ComponentChanges;
import org.loam.lsm.memory.MemoryLeveling;

/**
 * Merges runs in the write memory of all trees, a step of each in turn, on a thread that begins
 * when there is something to merge. Thread-safe.
 *
 * <p>Writers of a tree may wait for its merges while these go on ({@link
 * org.loam.lsm.LsmTree#isMergingMemory}). So each tree is told when the thread comes to rest, for
 * whatever reason. What finds no memory is tried again after the next {@link #wake}.
 */
final class MemoryMerging implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(MemoryMerging.class);

  private final Supplier<List<ComponentChanges>> trees;
  private final Supplier<MemoryLeveling.@Nullable Merging> merging;
  private final WokenThread thread;
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * @param merging how runs are merged now; null if nothing is to be merged
   */
  MemoryMerging(
      StorageEnv env,
      Supplier<List<ComponentChanges>> trees,
      Supplier<MemoryLeveling.@Nullable Merging> merging) {
    this.trees = trees;
    this.merging = merging;
    this.thread = new WokenThread(env, "loam-memory-merge", "merges in memory", this::run);
  }

  /** Memory came back, of which a merge of levels may have had too little. */
  void memoryReturned() {
    // A pipeline gives back itself what an attempt has taken in vain, and would try without end.
    if (merging.get() instanceof MemoryLeveling.Sizes) {
      wake();
    }
  }

  /**
   * There may be a run more, or more memory. Called at the end of a write, which is in the log and
   * shown: it does not fail because the process can have no thread more. The next call tries again.
   */
  void wake() {
    if (merging.get() != null) {
      try {
        thread.wake();
      } catch (OutOfMemoryError e) {
        if (!told.getAndSet(true)) {
          LOGGER.warn("write memory is not merged: its thread cannot be started yet", e);
        }
      }
    }
  }

  private void run() {
    while (thread.await(Long.MAX_VALUE)) {
      try {
        boolean more = true;
        while (more) {
          more = stepOfEach();
        }
      } catch (StorageException ignored) {
        // The log cannot be made durable any more, so that nothing may be dropped from memory.
      } finally {
        trees.get().forEach(ComponentChanges::restMemoryMerges);
      }
    }
  }

  private boolean stepOfEach() {
    boolean more = false;
    for (ComponentChanges tree : trees.get()) {
      more |= !thread.isClosing() && tree.mergeMemory(merging);
    }
    return more;
  }

  /** Ends the thread after the step that it is at. */
  @Override
  public void close() {
    thread.close();
  }
}
