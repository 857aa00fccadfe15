package org.loam.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.error.ClosedException;
import org.loam.common.mem.Mem;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;

/** Schedules of operations that begin and end while the engine is closed. */
@Tag("once")
@Explored
class OperationsScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int TIMES = 2;

  /** A size of which no workspace can be made. */
  private static final int NO_WORKSPACE = Integer.MIN_VALUE;

  /** The checked mode of memory stops an access to what was freed. */
  @Test
  void whatAnOperationUsesStaysUntilItHasEnded() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Operations operations = new Operations(sim.env().waiter(), 64);
          sim.run(
              () -> operate(operations, (byte) 1),
              () -> operate(operations, (byte) 2),
              () -> {
                operations.refuse();
                operations.close();
              });
          assertThatThrownBy(operations::enter).isInstanceOf(ClosedException.class);
        });
  }

  private static void operate(Operations operations, byte mark) {
    try {
      for (int i = 0; i < TIMES; i++) {
        OperationContext context = operations.enter();
        try {
          long key = context.workspace.putKey(new byte[] {mark});
          assertThat(Mem.getByte(key)).isEqualTo(mark);
        } finally {
          operations.exit(context);
        }
      }
    } catch (ClosedException e) {
      assertThat(e).hasMessage("the engine was closed");
    }
  }

  /** The close waits for the operations that are inside. */
  @Test
  void anOperationThatGetsNoMemoryIsNotInside() {
    Schedules.explore(
        1,
        sim -> {
          Operations operations = new Operations(sim.env().waiter(), NO_WORKSPACE);
          sim.run(
              () -> {
                assertThatThrownBy(operations::enter).isInstanceOf(IllegalArgumentException.class);
                operations.close();
              });
        });
  }
}
