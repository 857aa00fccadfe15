package org.loam.workbench.asterixdb.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A cluster that can be crashed. Several threads run statements at once. */
public interface CrashTarget {
  /** A statement was not acknowledged: what it was to write may be there or not, in any part. */
  final class UnacknowledgedException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * @param message what the cluster said
     */
    public UnacknowledgedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Runs a statement and gives its rows back, which acknowledges it. */
  List<JsonNode> run(String statement) throws UnacknowledgedException, InterruptedException;

  /** The nodes that can be crashed. */
  List<String> nodes();

  /**
   * Lets clients work for a while.
   *
   * @param random chooses how long
   */
  void letWork(RandomGenerator random) throws InterruptedException;

  /** Ends nodes at once; what they had in memory is gone. */
  void kill(Set<String> nodes) throws InterruptedException;

  /** Starts what does not run, and waits until it has recovered. */
  void start() throws InterruptedException;

  /**
   * Starts what does not run, and kills it at some moment while it starts or recovers.
   *
   * @param random chooses the moment
   * @return whether it met one; if not, all of it runs
   */
  boolean crashInRecovery(RandomGenerator random) throws InterruptedException;
}
