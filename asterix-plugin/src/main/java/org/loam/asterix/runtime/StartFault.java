package org.loam.asterix.runtime;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Why a node ends that has not started yet: in one line on standard error, as AsterixDB tells only
 * the node's log. The first cause is said, and no other: what fails later follows from it.
 * Thread-safe. Its lock is held only while the line is written: a thread that holds it never waits
 * for one that ends the node.
 */
final class StartFault {
  private final BooleanSupplier isStarting;
  private final Supplier<Optional<String>> logProblem;

  @GuardedBy("this")
  private boolean isSaid;

  /**
   * @param isStarting whether the node has not started yet
   * @param logProblem what is wrong with the directory of AsterixDB's log now, and what to do
   */
  StartFault(BooleanSupplier isStarting, Supplier<Optional<String>> logProblem) {
    this.isStarting = isStarting;
    this.logProblem = logProblem;
  }

  /** The node is about to end. Of a node that has started, nothing is said. */
  void willEnd(Throwable cause) {
    if (isStarting.getAsBoolean()) {
      say(cause);
    }
  }

  /** A part of the start has failed. */
  synchronized void say(Throwable cause) {
    if (!isSaid) {
      isSaid = true;
      StartException.say(cause, logProblem.get());
    }
  }
}
