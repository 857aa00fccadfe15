package org.loam.engine.dataset;

import java.util.concurrent.atomic.LongAdder;

/** What was done to a dataset. Thread-safe. */
public final class DatasetCounters {
  private final LongAdder writes = new LongAdder();
  private final LongAdder recordReads = new LongAdder();
  private final LongAdder indexEntries = new LongAdder();
  private final LongAdder recordsFetched = new LongAdder();

  void readRecord() {
    recordReads.increment();
  }

  void wrote(int entries) {
    writes.increment();
    indexEntries.add(entries);
  }

  public void fetched(int records) {
    recordsFetched.add(records);
  }

  /** Records written or deleted. */
  public long writes() {
    return writes.sum();
  }

  /** Old records looked up for that. */
  public long recordReads() {
    return recordReads.sum();
  }

  /** Entries that the writes added to indexes and removed from them. */
  public long indexEntries() {
    return indexEntries.sum();
  }

  /** Records looked up for entries that queries found. */
  public long recordsFetched() {
    return recordsFetched.sum();
  }
}
