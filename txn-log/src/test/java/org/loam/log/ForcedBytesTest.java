package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Simulation;

/**
 * What forces of the log write to the device, if the page cache keeps each window of a segment as
 * one folio, as it does after the segment was written in windows.
 */
@Tag("once")
class ForcedBytesTest {
  private static final LogConfig CONFIG = new LogConfig(2 << 20, 64 << 20, 2, 0);
  private static final int PAGE_BYTES = 4096;
  private static final int VALUE_BYTES = 1000;
  private static final int GROUPS = 40;

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
            // Until the next segments are prepared, which are forced, too.
            sim.env().waiter().pause(10_000_000_000L);
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
    for (int frames : new int[] {1, 4, 25}) {
      long[] bytes = force(frames, GROUPS);
      // Each group begins and ends in the middle of a page.
      assertThat(bytes[0])
          .as("groups of %d frames", frames)
          .isGreaterThanOrEqualTo(bytes[1])
          .isLessThanOrEqualTo(bytes[1] + 2L * PAGE_BYTES * GROUPS);
    }
  }

  @Test
  void aLargeGroupWritesNotMuchMoreThanItsFrames() {
    long[] bytes = force(2 * CONFIG.windowBytes() / VALUE_BYTES, 4);
    assertThat(bytes[0]).isBetween(bytes[1], 4 * bytes[1]);
  }
}
