package org.loam.workbench.demo;

import java.util.BitSet;
import java.util.function.IntFunction;

/**
 * What a database must be after its writer was killed, and what it is.
 *
 * @param acknowledged records of acknowledged batches
 * @param lost of these, those that are not there as written
 * @param tornBatches batches that are there in part
 * @param wrong records that have a value that was never written, or one that was not yet to be
 *     written
 * @param unacknowledgedBatches whole batches that were written but not acknowledged in time
 * @param present places of the records that the killed ingest wrote
 */
record CrashVerdict(
    long acknowledged,
    long lost,
    long tornBatches,
    long wrong,
    long unacknowledgedBatches,
    BitSet present) {

  /** How a record is found after the kill. */
  enum State {
    /** As it was before the ingest. */
    BEFORE,
    /** As the ingest writes it. */
    AFTER,
    /** Neither. */
    OTHER
  }

  /**
   * Looks at every batch of the plan. Each writer waits for one batch before it writes the next, so
   * beyond its acknowledged batches at most one may be there, and that one whole.
   *
   * @param acknowledged batches of each writer
   * @param states the state of the record at each place
   */
  static CrashVerdict of(IngestPlan plan, int[] acknowledged, IntFunction<State> states) {
    Tally tally = new Tally();
    for (int writer = 0; writer < plan.writers(); writer++) {
      for (int batch = 0; batch < plan.batchCount(writer); batch++) {
        int[] places = plan.places(writer, batch).toArray();
        if (batch < acknowledged[writer]) {
          tally.acknowledgedBatch(places, states);
        } else {
          tally.otherBatch(places, states, batch == acknowledged[writer]);
        }
      }
    }
    return tally.verdict();
  }

  boolean isClean() {
    return lost == 0 && tornBatches == 0 && wrong == 0;
  }

  CrashVerdict plus(CrashVerdict other) {
    return new CrashVerdict(
        acknowledged + other.acknowledged,
        lost + other.lost,
        tornBatches + other.tornBatches,
        wrong + other.wrong,
        unacknowledgedBatches + other.unacknowledgedBatches,
        other.present);
  }

  private static final class Tally {
    private final BitSet present = new BitSet();
    private long acknowledged;
    private long lost;
    private long torn;
    private long wrong;
    private long unacknowledged;

    void acknowledgedBatch(int[] places, IntFunction<State> states) {
      acknowledged += places.length;
      for (int place : places) {
        if (states.apply(place) == State.AFTER) {
          present.set(place);
        } else {
          lost++;
        }
      }
    }

    void otherBatch(int[] places, IntFunction<State> states, boolean mayBeThere) {
      int before = 0;
      int after = 0;
      for (int place : places) {
        switch (states.apply(place)) {
          case BEFORE -> before++;
          case AFTER -> {
            after++;
            present.set(place);
          }
          case OTHER -> wrong++;
        }
      }
      if (after > 0 && before > 0) {
        torn++;
      } else if (after > 0 && mayBeThere) {
        unacknowledged++;
      } else {
        wrong += after;
      }
    }

    CrashVerdict verdict() {
      return new CrashVerdict(acknowledged, lost, torn, wrong, unacknowledged, present);
    }
  }
}
