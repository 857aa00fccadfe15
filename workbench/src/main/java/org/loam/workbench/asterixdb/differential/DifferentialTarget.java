package org.loam.workbench.asterixdb.differential;

import org.loam.workbench.console.CommandException;

/** A cluster that statements run on, one after the other. */
interface DifferentialTarget {
  /** As messages call it. */
  String name();

  /**
   * Does what a statement says. What a statement is refused with is its outcome, too, and so is the
   * end of a node.
   */
  Outcome run(Statement statement) throws InterruptedException;

  /**
   * Starts what does not run.
   *
   * @throws CommandException if it does not start
   */
  void revive() throws InterruptedException;

  /** Starts anew with nothing, after a start that failed. */
  void renew() throws InterruptedException;
}
