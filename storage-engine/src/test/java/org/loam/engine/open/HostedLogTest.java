package org.loam.engine.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.loam.engine.host.HostLog;
import org.loam.log.CommitLog;

/** The LSNs that writes get while a host has the log. */
class HostedLogTest {
  /** A log that ends where the test says. */
  private static final class Host implements HostLog {
    private long endLsn;

    @Override
    public long endLsn() {
      return endLsn;
    }

    @Override
    public long lengthBytes() {
      return 0;
    }

    @Override
    public void flushWanted(String tree) {}

    @Override
    public void fenced(Throwable cause) {}
  }

  private final Host host = new Host();
  private final HostedLog log = new HostedLog(host);

  @Test
  void refusesAHostWhoseLogEndsAboveTheLargestLsn() {
    host.endLsn = CommitLog.LSN_LIMIT;
    assertThatThrownBy(() -> log.start(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at LSN " + host.endLsn + ": must be from 0 to");
  }

  @Test
  void takesWritesUpToTheLargestLsn() {
    log.start(7);
    host.endLsn = CommitLog.LSN_LIMIT - 1;
    log.append(0, 0, 0);
    assertThat(log.lastLsn()).isEqualTo(CommitLog.LSN_LIMIT - 1);
    assertThatThrownBy(() -> log.append(0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThat(log.lastLsn()).as("nothing changed").isEqualTo(CommitLog.LSN_LIMIT - 1);
  }
}
