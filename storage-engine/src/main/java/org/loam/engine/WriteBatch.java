package org.loam.engine;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.Arguments;
import org.loam.engine.commit.PreparedBatch;
import org.loam.engine.open.OpenEngine;

/**
 * Writes to one tree or several that show together or not at all, to readers and after a crash. Of
 * two writes to one key the later one counts. May be used again after {@link #clear}; not
 * thread-safe. Keys and values are not copied before the batch is written: do not change them.
 */
public final class WriteBatch {
  private final PreparedBatch writes = new PreparedBatch(4);

  /** The engine of the first tree. */
  private @Nullable OpenEngine open;

  /** The first tree that is of another engine than the first one. */
  private @Nullable Tree stranger;

  /** An empty batch. */
  public WriteBatch() {}

  /**
   * Adds a write.
   *
   * @throws IllegalArgumentException if the key is longer than {@link Engine#maxKeyBytes}, or
   *     anything is null; the batch is as before then
   */
  public WriteBatch put(Tree tree, byte[] key, byte[] value) {
    Tree.requireValue(value);
    require(tree, key);
    writes.put(tree.lsm(), key, value);
    return this;
  }

  /** Adds a deletion; the key need not exist. */
  public WriteBatch delete(Tree tree, byte[] key) {
    require(tree, key);
    writes.delete(tree.lsm(), key);
    return this;
  }

  private void require(Tree tree, byte[] key) {
    Arguments.require(tree, "tree").requireKey(key);
    if (open == null) {
      open = tree.open();
    } else if (stranger == null && tree.open() != open) {
      stranger = tree;
    }
  }

  /** Writes and deletions so far. */
  public int size() {
    return writes.size();
  }

  /** Forgets them. */
  public void clear() {
    writes.clear();
    open = null;
    stranger = null;
  }

  /** The writes; refuses trees of another engine, whose log would not have them. */
  PreparedBatch writesOf(OpenEngine writing) {
    if (open != null && open != writing) {
      throw new IllegalArgumentException(writes.tree(0) + " in the batch is of another engine");
    }
    if (stranger != null) {
      throw new IllegalArgumentException(stranger + " in the batch is of another engine");
    }
    return writes;
  }
}
