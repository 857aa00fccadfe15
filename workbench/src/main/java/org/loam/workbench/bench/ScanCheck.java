package org.loam.workbench.bench;

import org.loam.workbench.peer.Store;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;

/** Checks the records of a scan: the first one, their order, their values and their number. */
public final class ScanCheck implements Store.RecordSink {
  private final Values values;
  private long start;
  private long previous;
  private int count;
  private boolean startIsKnown;

  /** A check of scans one after another. */
  public ScanCheck(Values values) {
    this.values = values;
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
    if (!values.isRight(identity, value, valueLength)) {
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
  }

  private WrongAnswerException wrong(String what) {
    return new WrongAnswerException("scan from " + Long.toHexString(start) + " " + what);
  }
}
