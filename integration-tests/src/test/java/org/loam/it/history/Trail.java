package org.loam.it.history;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The last steps of a thread, for the report of a failure. */
final class Trail {
  private static final int LENGTH = 2000;
  private static final int SHOWN = 6;

  private record Step(long nanos, String what, @Nullable History history, int group, long number) {
    @Override
    public String toString() {
      return nanos + " " + what + (group < 0 ? "" : " group " + group + " write " + number);
    }
  }

  private final ArrayDeque<Step> steps = new ArrayDeque<>();

  void note(String what) {
    note(what, null, -1, 0);
  }

  void note(String what, @Nullable History history, int group, long number) {
    if (steps.size() == LENGTH) {
      steps.removeFirst();
    }
    steps.add(new Step(System.nanoTime(), what, history, group, number));
  }

  /** The steps that have to do with an error, and the last ones. */
  String describe(Throwable error) {
    StringBuilder text = new StringBuilder();
    int behind = steps.size();
    int about = 0;
    for (Step step : steps) {
      about += isAbout(error, step) ? 1 : 0;
    }
    for (Step step : steps) {
      boolean isOneOfTheLast = behind-- <= SHOWN;
      boolean isAbout = isAbout(error, step) && about-- <= SHOWN;
      if (isAbout || isOneOfTheLast) {
        text.append("\n    ").append(step);
      }
    }
    return text.toString();
  }

  private static boolean isAbout(Throwable error, Step step) {
    return error instanceof HistoryError e && e.isAbout(step.history, step.group);
  }
}
