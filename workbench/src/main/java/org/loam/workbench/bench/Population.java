package org.loam.workbench.bench;

import java.util.PriorityQueue;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Scramble;
import org.loam.workbench.workload.Values;
import org.loam.workbench.workload.Workload;
import org.loam.workbench.workload.Zipfian;

/**
 * The loaded records and what clients derive from their number. Immutable and shared.
 *
 * @param records loaded, indexes 0 to records - 1
 * @param values of the records
 * @param zipfian over as many ranks
 * @param scramble from rank to index
 * @param lastFullScan the greatest identity from which a longest scan finds all its records
 * @param leastKeys what scans are checked with for gaps
 * @param isSkewed whether operations that choose among all records alike choose by rank instead
 */
public record Population(
    long records,
    Values values,
    Zipfian zipfian,
    Scramble scramble,
    long lastFullScan,
    LeastKeys leastKeys,
    boolean isSkewed) {

  /** The records of one tree; takes time proportional to their number. */
  public static Population of(long records, int valueBytes) {
    return of(records, valueBytes, Zipfian.THETA, false);
  }

  /** Records of one tree that all operations choose with this skew. */
  public static Population skewed(long records, int valueBytes, double theta) {
    return of(records, valueBytes, theta, true);
  }

  private static Population of(long records, int valueBytes, double theta, boolean isSkewed) {
    return new Population(
        records,
        new Values(valueBytes),
        new Zipfian(records, theta),
        new Scramble(records),
        lastFullScan(records),
        LeastKeys.of(records),
        isSkewed);
  }

  /** The 100th identity from the end, in unsigned order, as the keys have it. */
  private static long lastFullScan(long records) {
    PriorityQueue<Long> greatest = new PriorityQueue<>(Long::compareUnsigned);
    for (long index = 0; index < records; index++) {
      long identity = Keys.identity(index);
      if (greatest.size() < Workload.MAX_SCAN_RECORDS) {
        greatest.add(identity);
      } else if (Long.compareUnsigned(identity, greatest.element()) > 0) {
        greatest.remove();
        greatest.add(identity);
      }
    }
    return greatest.element();
  }
}
