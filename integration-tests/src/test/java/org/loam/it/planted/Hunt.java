package org.loam.it.planted;

import java.util.function.LongConsumer;

/**
 * What became of a planted bug.
 *
 * @param seeds how many were run, the one that caught it included
 * @param symptom how it showed, empty if it did not
 */
record Hunt(PlantedBug bug, int seeds, String symptom) {
  private static final int MAX_SYMPTOM = 110;

  /** Whether it was caught. */
  boolean isCaught() {
    return !symptom.isEmpty();
  }

  /** Runs seeds from the bug's first on until one fails. */
  static Hunt of(PlantedBug bug) {
    LongConsumer trial = BuggyLoam.with(bug).newTrial(bug.suite());
    for (int i = 0; i < bug.suite().maxSeeds; i++) {
      try {
        trial.accept(bug.firstSeed() + i);
      } catch (LinkageError e) {
        throw new AssertionError("'" + bug.name() + "' was not planted well", e);
      } catch (Throwable t) {
        return new Hunt(bug, i + 1, symptomOf(t));
      }
    }
    return new Hunt(bug, bug.suite().maxSeeds, "");
  }

  /** The first line of what went wrong, without what only this run knows. */
  private static String symptomOf(Throwable t) {
    Throwable root = t;
    while (root.getCause() != null && root.getCause() != root) {
      if (root.getCause() instanceof LinkageError e) {
        throw e;
      }
      root = root.getCause();
    }
    String message = root.getMessage() == null ? root.toString() : root.getMessage();
    String line = message.lines().findFirst().orElse("");
    return line.length() > MAX_SYMPTOM ? line.substring(0, MAX_SYMPTOM) + "..." : line;
  }
}
