package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.DiskFullException;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.SimDisk;
import org.loam.engine.notify.Events;

/** Schedules of writers that find room while the disk fills up again. */
@Tag("once")
@Explored
class SpaceGuardScheduleTest {
  private static final int SCHEDULES = 500;
  private static final long RESERVE_BYTES = 1 << 20;
  private static final DiskFullException FOUND = new DiskFullException("planned", 30, 20);

  /** The disk that was found full last stays on record, although an older one has room. */
  @Test
  void aFullDiskIsNotForgottenForTheRoomBeforeIt() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          SimDisk disk = sim.disk();
          long capacity = disk.capacityBytes();
          SpaceGuard guard =
              new SpaceGuard(
                  sim.env(),
                  List.of(sim.directory()),
                  () -> RESERVE_BYTES,
                  new Events(sim.env(), sim.directory(), null));
          disk.capacityBytes(0);
          guard.foundFull(FOUND);
          disk.capacityBytes(capacity);
          sim.run(
              () -> tryToWrite(guard),
              () -> {
                disk.capacityBytes(0);
                guard.foundFull(FOUND);
              });
          assertThatThrownBy(guard::requireRoom).isInstanceOf(DiskFullException.class);
        });
  }

  /** Writers that come at once begin background work over once. */
  @Test
  void roomIsFoundOnce() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          SpaceGuard guard =
              new SpaceGuard(
                  sim.env(),
                  List.of(sim.directory()),
                  () -> RESERVE_BYTES,
                  new Events(sim.env(), sim.directory(), null));
          AtomicInteger rooms = new AtomicInteger();
          guard.onRoom(rooms::incrementAndGet);
          guard.foundFull(FOUND);
          sim.run(guard::requireRoom, guard::requireRoom);
          assertThat(rooms).hasValue(1);
        });
  }

  private static void tryToWrite(SpaceGuard guard) {
    try {
      guard.requireRoom();
    } catch (DiskFullException e) {
      assertThat(e.neededBytes()).isEqualTo(RESERVE_BYTES);
    }
  }
}
