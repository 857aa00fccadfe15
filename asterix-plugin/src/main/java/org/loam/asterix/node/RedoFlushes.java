package org.loam.asterix.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The flushes that the engine wants while a recovery redoes the log. They wait for the recovery,
 * which makes them between two log records. Each one is made once, also if it comes just as the
 * recovery ends: by the recovery, or by the thread that asks for it. Thread-safe.
 */
final class RedoFlushes {
  /** Trees whose flushes wait. */
  @GuardedBy("this")
  private final Set<String> held = new LinkedHashSet<>();

  @GuardedBy("this")
  private boolean isRecovering;

  /** A recovery begins. */
  synchronized void begin() {
    isRecovering = true;
  }

  /**
   * Lets the flush of a tree wait for the recovery.
   *
   * @return false if there is no recovery, so that the caller has to see to the flush
   */
  synchronized boolean hold(String tree) {
    if (isRecovering) {
      held.add(tree);
    }
    return isRecovering;
  }

  /** Takes the trees out that wait now. */
  synchronized List<String> take() {
    if (held.isEmpty()) {
      return List.of();
    }
    List<String> trees = List.copyOf(held);
    held.clear();
    return trees;
  }

  /** The recovery ends, and none waits from now on: takes the trees out that still wait. */
  synchronized List<String> end() {
    isRecovering = false;
    return take();
  }
}
