package org.loam.asterix.index;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.Monitor;

/**
 * The tree that operations of an index go to. If a failed load has left entries, the tree is
 * emptied before an operation goes to it. Thread-safe.
 *
 * @param <T> the tree
 */
final class CleanTree<T> {
  private final Monitor clearing;
  private final UnaryOperator<T> empty;

  /** Null while the index is closed. */
  private volatile @Nullable T tree;

  /** Whether a failed load has left entries, which readers must not see. */
  private volatile boolean hasRest;

  /**
   * @param clearing held while a tree is emptied
   * @param empty makes an empty tree in place of one that has a rest; may fail
   */
  CleanTree(Monitor clearing, UnaryOperator<T> empty) {
    this.clearing = clearing;
    this.empty = empty;
  }

  /** Lets operations go to a tree from now on, which has no rest. */
  void show(T shown) {
    tree = shown;
    hasRest = false;
  }

  /** Lets no operation go on; returns the tree, null if there was none. */
  @Nullable T hide() {
    T hidden = tree;
    tree = null;
    return hidden;
  }

  /** The tree as it is; null while the index is closed. */
  @Nullable T asIs() {
    return tree;
  }

  /** The tree, without a rest; null while the index is closed. */
  @Nullable T get() {
    // In this order: a thread that finds no rest finds the tree without it.
    return hasRest ? emptied() : tree;
  }

  private @Nullable T emptied() {
    clearing.lock();
    try {
      T now = tree;
      if (hasRest && now != null) {
        now = empty.apply(now);
        show(now);
      }
      return now;
    } finally {
      clearing.unlock();
    }
  }

  /** Whether a rest is still to be removed. */
  boolean hasRest() {
    return hasRest;
  }

  /** A failed load has left entries: {@link #get} removes them, and tries again if that fails. */
  void leaveRest() {
    hasRest = true;
  }
}
