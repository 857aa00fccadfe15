package org.loam.scheduler.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;

class FlushedPerScanTest {
  private static final long MEMORY = 64 << 20;

  private final FlushedPerScan perScan = new FlushedPerScan();

  /** Flushes write memory some times, a quarter at a time, with scans between. */
  private long flush(int memories, long scansBefore, long scansEach) {
    long scans = scansBefore;
    for (int i = 0; i < 4 * memories; i++) {
      scans += scansEach;
      perScan.flushed(MEMORY / 4, MEMORY, scans);
    }
    return scans;
  }

  @Test
  void withoutScansThereIsNoEndToTheBytes() {
    assertThat(perScan.bytes(0)).isPositive().isInfinite();
    perScan.flushed(MEMORY, MEMORY, 0);
    assertThat(perScan.bytes(0)).isInfinite();
  }

  /** A tree that is read after it was opened is read, whatever comes later. */
  @Test
  void scansBeforeTheFirstFlushCount() {
    assertThat(perScan.bytes(1)).isZero();
  }

  @Test
  void aSteadyRateIsSeen() {
    long scans = flush(8, 0, 100);
    assertThat(perScan.bytes(scans)).isCloseTo(MEMORY / 400.0, withinPercentage(1));
  }

  @Test
  void scansAreSeenBeforeTheNextFlush() {
    flush(8, 0, 0);
    assertThat(perScan.bytes(1000)).isLessThan(2 * MEMORY / 1000.0);
  }

  /** Half of the scans is forgotten with each write memory, and more than count for nothing. */
  @Test
  void scansAreForgotten() {
    long scans = flush(8, 0, 1 << 20);
    assertThat(perScan.bytes(scans)).isCloseTo(1 << 10, withinPercentage(1));
    flush(3, scans, 0);
    assertThat(perScan.bytes(scans)).isCloseTo(8 << 10, withinPercentage(1));
    flush(4, scans, 0);
    assertThat(perScan.bytes(scans)).isCloseTo(128 << 10, withinPercentage(1));
  }
}
