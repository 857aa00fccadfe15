package org.loam.it.history;

import org.jspecify.annotations.Nullable;

/** An answer that fits no state that the database may have had. */
final class HistoryError extends AssertionError {
  private static final long serialVersionUID = 1;

  private final transient @Nullable History history;
  private final int group;

  HistoryError(String message) {
    this(message, null, -1);
  }

  /**
   * @param group of the history whose writes are of interest
   */
  HistoryError(String message, @Nullable History history, int group) {
    super(message);
    this.history = history;
    this.group = group;
  }

  boolean isAbout(@Nullable History other, int otherGroup) {
    return history != null && history == other && group == otherGroup;
  }
}
