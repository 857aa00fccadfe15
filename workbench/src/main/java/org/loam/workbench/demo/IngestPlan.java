package org.loam.workbench.demo;

import java.util.stream.IntStream;

/**
 * Which writer puts which records in which batch: known to the process that writes and to the one
 * that verifies. Batches are dealt to the writers in turn; places are those of the spool's shuffled
 * order.
 *
 * @param recordCount of the spool
 * @param writers threads
 * @param batchRecords in a batch; the last may have fewer
 */
record IngestPlan(int recordCount, int writers, int batchRecords) {
  IngestPlan {
    if (recordCount < 1 || writers < 1 || batchRecords < 1) {
      throw new IllegalArgumentException(
          "recordCount, writers and batchRecords must be positive: "
              + recordCount
              + ", "
              + writers
              + ", "
              + batchRecords);
    }
  }

  /** The plan of the demo: enough writers to share a force, small enough batches to be many. */
  static IngestPlan of(int recordCount) {
    return new IngestPlan(recordCount, 4, 16);
  }

  int batchCount() {
    return (recordCount + batchRecords - 1) / batchRecords;
  }

  int batchCount(int writer) {
    return (batchCount() + writers - 1 - writer) / writers;
  }

  /** The places of the records of a writer's batch, both counted from 0. */
  IntStream places(int writer, int batch) {
    int number = batch * writers + writer;
    int from = number * batchRecords;
    return IntStream.range(from, Math.min(recordCount, from + batchRecords));
  }
}
