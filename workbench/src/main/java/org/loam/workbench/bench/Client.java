package org.loam.workbench.bench;

import java.util.SplittableRandom;

/** What one thread of a benchmark does, over and over. Used by one thread at a time. */
public interface Client extends AutoCloseable {
  /**
   * Does one operation and checks its answer.
   *
   * @throws WrongAnswerException if it is wrong
   */
  void step();

  /** How many kinds of operations it has; each kind has latencies of its own. */
  default int kinds() {
    return 1;
  }

  /** The kind of the last operation, from 0. */
  default int kind() {
    return 0;
  }

  /** Records written so far. */
  long writes();

  @Override
  void close();

  /** Makes the clients of a phase. */
  interface Factory {
    /**
     * A new client.
     *
     * @param number from 0
     * @param random of its own
     */
    Client create(int number, SplittableRandom random);
  }
}
