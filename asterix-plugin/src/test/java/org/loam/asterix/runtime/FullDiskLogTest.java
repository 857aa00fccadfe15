package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Filter.Result;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.loam.common.error.DiskFullException;

/** While a disk is full, refused statements leave no stack traces in the log. */
class FullDiskLogTest {
  private boolean isFull = true;
  private final FullDiskLog log = new FullDiskLog(() -> isFull);

  private Result filter(Level level, @Nullable Throwable thrown) {
    return filter(log, level, thrown);
  }

  private static Result filter(FullDiskLog log, Level level, @Nullable Throwable thrown) {
    return log.filter(Log4jLogEvent.newBuilder().setLevel(level).setThrown(thrown).build());
  }

  @Test
  void onlyTracesOfTheFullDiskAreLeftOut() {
    Exception refused = HyracksDataException.create(new DiskFullException("full", 2, 1));
    assertThat(filter(Level.WARN, refused)).isEqualTo(Result.DENY);
    assertThat(filter(Level.ERROR, refused)).isEqualTo(Result.DENY);
    assertThat(filter(Level.FATAL, refused)).isEqualTo(Result.NEUTRAL);
    assertThat(filter(Level.WARN, new IOException("planned"))).isEqualTo(Result.NEUTRAL);
    assertThat(filter(Level.WARN, null)).isEqualTo(Result.NEUTRAL);
    isFull = false;
    assertThat(filter(Level.WARN, refused)).isEqualTo(Result.NEUTRAL);
  }

  @Test
  void causesMayGoRoundInACircle() {
    Exception first = new Exception("first");
    first.initCause(new Exception("second", first));
    assertThat(filter(Level.WARN, first)).isEqualTo(Result.NEUTRAL);
  }

  /** It is told of the full disk by a node, with the exception of its job around the cause. */
  @Test
  void aClusterControllerLeavesThemOutAsWell() {
    FullDiskLog controller = new FullDiskLog();
    HyracksDataException refused = HyracksDataException.create(new DiskFullException("full", 2, 1));
    Exception ofJob = HyracksDataException.create(refused, "nc1");
    assertThat(filter(controller, Level.WARN, ofJob)).isEqualTo(Result.DENY);
    assertThat(filter(controller, Level.WARN, new IOException("planned")))
        .isEqualTo(Result.NEUTRAL);
  }
}
