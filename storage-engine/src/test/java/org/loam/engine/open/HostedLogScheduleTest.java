package org.loam.engine.open;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.engine.host.HostLog;

/** Schedules of threads that tell an engine's host of faults, or end flushes, at the same time. */
@Tag("once")
@Explored
class HostedLogScheduleTest {
  private static final int SCHEDULES = 500;

  /** Keeps what it is told. */
  private static final class Host implements HostLog {
    final List<Throwable> fencedBy = new ArrayList<>();

    @Override
    public long endLsn() {
      return 1;
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
          Host host = new Host();
          HostedLog log = new HostedLog(host);
          Throwable one = new Throwable("one");
          Throwable other = new Throwable("other");
          sim.run(() -> log.fence(one), () -> log.fence(other));
          assertThat(host.fencedBy).hasSize(1).containsAnyOf(one, other);
        });
  }

  @Test
  void theTruncationLsnNeverGoesBack() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          HostedLog log = new HostedLog(new Host());
          sim.run(() -> log.truncate(10), () -> log.truncate(20));
          assertThat(log.truncationLsn()).isEqualTo(20);
        });
  }
}
