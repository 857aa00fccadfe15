package org.loam.workbench.bench;

import org.loam.workbench.peer.Store;
import org.loam.workbench.workload.Keys;

/**
 * Checks the records of a scan: the first one, their order, their values and their number; and
 * where the scan begins among the {@link LeastKeys}, that it passes over none.
 */
public final class ScanCheck implements Store.RecordSink {
  private final Population population;
  private long start;
  private long previous;
  private int count;
  private boolean startIsKnown;

  /** A check of scans one after another. */
  public ScanCheck(Population population) {
    this.population = population;
  }

  /** A scan begins at the key of a record that exists. */
  void begin(long startIdentity) {
    start = startIdentity;
    count = 0;
    startIsKnown = true;
  }

  /** A scan begins wherever the first record is. */
  public void beginAnywhere() {
    begin(0);
    startIsKnown = false;
  }

  @Override
  public void record(byte[] key, int keyLength, byte[] value, int valueLength) {
    long identity = Keys.read(key, keyLength);
    if (count == 0 && startIsKnown && identity != start) {
      throw wrong("begins at " + Long.toHexString(identity));
    }
    if (count > 0 && Long.compareUnsigned(identity, previous) <= 0) {
      throw wrong("shows " + Long.toHexString(identity) + " after " + Long.toHexString(previous));
    }
    if (!population.values().isRight(identity, value, valueLength)) {
      throw wrong("shows a value that " + Long.toHexString(identity) + " never had");
    }
    previous = identity;
    count++;
  }

  /** The scan is over and says that it showed {@code shown} records. */
  void end(int shown, int limit, boolean mayBeShort) {
    if (shown != count || shown > limit || shown == 0) {
      throw wrong("says " + shown + " records, showed " + count + ", limit " + limit);
    }
    if (shown < limit && !mayBeShort) {
      throw wrong("ends after " + shown + " records, though " + limit + " exist");
    }
    if (startIsKnown && population.leastKeys().isPassedOver(start, previous, count)) {
      throw wrong("shows " + count + " records to " + Long.toHexString(previous) + " with a gap");
    }
  }

  private WrongAnswerException wrong(String what) {
    return new WrongAnswerException("scan from " + Long.toHexString(start) + " " + what);
  }
}
