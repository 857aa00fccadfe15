package org.loam.engine.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.engine.host.HostLog;
import org.loam.log.CommitLog;

/**
 * Schedules of threads that tell an engine's host of faults, end flushes or write, and of readers.
 */
@Tag("once")
@Explored
class HostedLogScheduleTest {
  private static final int SCHEDULES = 500;

  /** Keeps what it is told. */
  private static final class Host implements HostLog {
    final List<Throwable> fencedBy = new ArrayList<>();
    private final long endLsn;

    Host(long endLsn) {
      this.endLsn = endLsn;
    }

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
    public void fenced(Throwable cause) {
      fencedBy.add(cause);
    }
  }

  @Test
  void aHostIsToldOnceOfAFence() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Host host = new Host(1);
          HostedLog log = new HostedLog(host);
          Throwable one = new Throwable("one");
          Throwable other = new Throwable("other");
          sim.run(() -> log.fence(one), () -> log.fence(other));
          assertThat(host.fencedBy).hasSize(1).containsAnyOf(one, other);
        });
  }

  /** Readers look at the end without the latch under which writes get their LSNs. */
  @Test
  void anLsnThatIsRefusedIsSeenByNoReader() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          HostedLog log = new HostedLog(new Host(CommitLog.LSN_LIMIT - 1));
          log.start(0);
          log.append(0, 0, 0);
          sim.run(
              () ->
                  assertThatThrownBy(() -> log.append(0, 0, 0))
                      .isInstanceOf(IllegalArgumentException.class),
              () -> assertThat(log.endLsn()).isEqualTo(CommitLog.LSN_LIMIT));
        });
  }

  @Test
  void theTruncationLsnNeverGoesBack() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          HostedLog log = new HostedLog(new Host(1));
          sim.run(() -> log.truncate(10), () -> log.truncate(20));
          assertThat(log.truncationLsn()).isEqualTo(20);
        });
  }
}
