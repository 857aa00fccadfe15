package org.loam.asterix.runtime;

import org.apache.asterix.common.transactions.ILogReader;
import org.apache.asterix.common.transactions.ILogRecord;
import org.jspecify.annotations.Nullable;
import org.loam.asterix.node.LoamNode;

/**
 * Reads the log for a recovery, twice: once to find out which transactions have committed, and once
 * to redo these. Before each record this reader makes the flushes that Loam wants.
 */
final class RedoReader implements ILogReader {
  private final ILogReader reader;
  private final LoamNode loam;

  /** Of the last record, which has been redone when the next one is asked for. */
  private long lsn;

  RedoReader(ILogReader reader, LoamNode loam) {
    this.reader = reader;
    this.loam = loam;
  }

  @Override
  public void setPosition(long lsn) {
    loam.beginRedo();
    reader.setPosition(lsn);
  }

  @Override
  public @Nullable ILogRecord next() {
    try {
      loam.flushRedone(lsn);
      ILogRecord record = reader.next();
      if (record == null) {
        // Before AsterixDB closes the indexes that it has redone.
        loam.endRedo();
      } else {
        loam.makeRoomForRedo(record.getLogSize(), lsn);
        lsn = record.getLSN();
      }
      return record;
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("cannot flush what was redone", e);
    }
  }

  @Override
  public ILogRecord read(long lsn) {
    return reader.read(lsn);
  }

  @Override
  public void close() {
    reader.close();
  }
}
