package org.loam.engine;

import java.util.concurrent.atomic.LongAdder;
import org.loam.engine.EngineStatistics.DatasetStatistics;

/** What was done to a dataset. Thread-safe. */
final class DatasetCounters {
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

  void fetched(int records) {
    recordsFetched.add(records);
  }

  DatasetStatistics statistics(String name) {
    return new DatasetStatistics(
        name, writes.sum(), recordReads.sum(), indexEntries.sum(), recordsFetched.sum());
  }
}
