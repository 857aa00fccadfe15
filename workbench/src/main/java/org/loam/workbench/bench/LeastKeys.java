package org.loam.workbench.bench;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.loam.workbench.workload.Keys;

/**
 * The loaded records with the least keys, in order, so that a scan which begins among them can be
 * checked for gaps. All records of a small database are among them; of a large one there are enough
 * to notice an engine that passes over records, and few enough that other scans are not slower for
 * it. Immutable.
 */
public final class LeastKeys {
  /** About so many: 128 KiB. With 2 million records, one scan of 122 begins among them. */
  private static final int MOST = 1 << 14;

  /** Of identities, which are unsigned, in an order that is signed. */
  private final long[] ordered;

  private LeastKeys(long[] ordered) {
    this.ordered = ordered;
  }

  /** Of records with indexes from 0; takes time proportional to their number. */
  static LeastKeys of(long records) {
    // Identities are spread evenly, so that a part of all numbers has the same part of the records.
    long last = records <= MOST ? -1 : Long.divideUnsigned(-1, records) * MOST;
    return new LeastKeys(
        LongStream.range(0, records)
            .map(index -> order(Keys.identity(index)))
            .filter(order -> order <= order(last))
            .sorted()
            .toArray());
  }

  private static long order(long identity) {
    return identity ^ Long.MIN_VALUE;
  }

  /**
   * Whether a scan passed over a loaded record, as far as that is known here. If records were
   * inserted after the load, those that a scan shows hide as many gaps.
   *
   * @param from identity of its first record
   * @param last identity of its last record
   * @param count of its records, with both; each exists, and their keys ascend
   */
  boolean isPassedOver(long from, long last, int count) {
    if (order(from) > ordered[ordered.length - 1]) {
      return false;
    }
    int first = Arrays.binarySearch(ordered, order(from));
    // Without a gap a scan has shown all loaded records up to its last one, at most as many as it
    // has shown in all: it does not come as far as the one after these.
    int after = first + count;
    return first >= 0 && after < ordered.length && order(last) >= ordered[after];
  }
}
