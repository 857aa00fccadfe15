package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.loam.common.sim.Simulation;

/**
 * What forces of the log write to the device, if the page cache keeps each window of a segment as
 * one folio, as it does after the segment was written in windows.
 */
class ForcedBytesTest {
  private static final LogConfig CONFIG = new LogConfig(4 << 20, 64 << 20, 2, 0);
  private static final int PAGE_BYTES = 4096;
  private static final int VALUE_BYTES = 1000;
  private static final int GROUPS = 200;

  /** Appends groups of frames and has each forced; returns the bytes forced, and those appended. */
  private static long[] force(int framesOfGroup, int groups) {
    long[] bytes = new long[2];
    try (Simulation sim = Simulation.seeded(1);
        TestBatches batches = new TestBatches()) {
      sim.run(
          () -> {
            TransactionLog log =
                TransactionLog.open(sim.env(), sim.directory().resolve("log"), CONFIG, 1);
            log.replay(0, (lsn, endLsn, address, length) -> {});
            log.start(0);
            // What another life of the log left in windows, and the first group after it.
            appendAndForce(log, batches, CONFIG.windowBytes() / VALUE_BYTES);
            appendAndForce(log, batches, 1);
            appendAndForce(log, batches, 1);
            bytes[0] -= sim.disk().forcedBytes();
            bytes[1] -= log.endLsn();
            for (int i = 0; i < groups; i++) {
              appendAndForce(log, batches, framesOfGroup);
            }
            bytes[0] += sim.disk().forcedBytes();
            bytes[1] += log.endLsn();
            log.close();
          });
    }
    return bytes;
  }

  private static void appendAndForce(TransactionLog log, TestBatches batches, int frames) {
    for (int i = 0; i < frames; i++) {
      batches.appendWaiting(log, i, VALUE_BYTES);
    }
    assertThat(log.awaitDurable(log.endLsn(), Long.MAX_VALUE)).isTrue();
  }

  @Test
  void aSmallGroupWritesThePagesOfItsFramesAndNoOthers() {
    for (int frames : new int[] {1, 4, 30}) {
      long[] bytes = force(frames, GROUPS);
      // Each group begins and ends in the middle of a page.
      assertThat(bytes[0])
          .as("groups of %d frames", frames)
          .isGreaterThanOrEqualTo(bytes[1])
          .isLessThanOrEqualTo(bytes[1] + 2L * PAGE_BYTES * GROUPS);
    }
  }

  @Test
  void aLargeGroupWritesAtMostTheWindowsThatItTouches() {
    int groups = 10;
    long window = CONFIG.windowBytes();
    long[] bytes = force((int) (2 * window / VALUE_BYTES), groups);
    assertThat(bytes[0]).isBetween(bytes[1], bytes[1] + 2 * window * groups);
  }
}
