package org.loam.it.history;

import java.util.SplittableRandom;

/** A thread that writes what it owns and reads everything. */
abstract class Client {
  /** As many as there are owners. */
  static final int COUNT = 4;

  private static final int LONGEST_BURST = 150;

  final int number;
  final SplittableRandom random;
  final Trail trail = new Trail();
  private long operations;

  Client(int number, SplittableRandom random) {
    this.number = number;
    this.random = random;
  }

  final void run(Round round) {
    try {
      while (!round.isOver()) {
        if (round.takeWrite()) {
          write();
        } else if (operate()) {
          // A root leaf is split once, after a few tens of records.
          round.demandWrites(random.nextInt(LONGEST_BURST));
        }
        operations++;
      }
    } catch (Throwable t) {
      trail.note("failed");
      round.fail(t);
    }
  }

  final long operations() {
    return operations;
  }

  /** Writes something. */
  abstract void write();

  /** Does anything; returns whether memory is fresh now. */
  abstract boolean operate();
}
