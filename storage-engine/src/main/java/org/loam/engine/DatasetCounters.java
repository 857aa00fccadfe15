package org.loam.engine;

import org.loam.common.metrics.Counter;
import org.loam.engine.EngineStatistics.DatasetStatistics;

/** What was done to a dataset. Thread-safe. */
final class DatasetCounters {
  private final Counter writes = new Counter();
  private final Counter recordReads = new Counter();
  private final Counter indexEntries = new Counter();
  private final Counter recordsFetched = new Counter();

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
        name, writes.value(), recordReads.value(), indexEntries.value(), recordsFetched.value());
  }
}
