package org.loam.common.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.Mem;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Exploration;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;

/** Each way to share memory is seen, each lock of the language is one for the schedules, too. */
@Tag("once")
@Explored
class SchedulesTest {
  private static final int SCHEDULES = 200;

  /** Something that two threads count up. */
  private interface Count {
    void up();

    long value();
  }

  @Test
  void updatesOfAVolatileFieldGetLost() {
    assertLost(VolatileCount::new);
  }

  @Test
  void updatesInTwoAtomicStepsGetLost() {
    assertLost(TwoStepCount::new);
  }

  @Test
  void updatesOffTheHeapGetLost() {
    assertLost(OffHeapCount::new);
  }

  @Test
  void aSynchronizedMethodIsWhole() {
    Schedules.explore(SCHEDULES, sim -> assertThat(countTwice(sim, new MethodCount())).isTrue());
  }

  @Test
  void aSynchronizedBlockIsWhole() {
    Schedules.explore(SCHEDULES, sim -> assertThat(countTwice(sim, new BlockCount())).isTrue());
  }

  @Test
  void aLockIsGivenBackAfterAnException() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          FailingCount count = new FailingCount();
          assertThat(countTwice(sim, count)).isTrue();
        });
  }

  @Test
  void plainLocksInOppositeOrderFail() {
    assertThatThrownBy(
            () ->
                Schedules.explore(
                    SCHEDULES,
                    sim -> {
                      Object a = new Object();
                      Object b = new Object();
                      sim.run(() -> nest(a, b), () -> nest(b, a));
                    }))
        .hasStackTraceContaining("lock order");
  }

  @Test
  void aSpinningThreadLetsTheOthersRun() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          AtomicLong flag = new AtomicLong();
          sim.run(
              () -> {
                while (flag.get() == 0) {
                  sim.env().waiter().spin();
                }
              },
              () -> flag.set(1));
        });
  }

  @Test
  void aSeedMakesTheSameRunAgain() {
    for (int depth = 0; depth < 4; depth++) {
      Exploration exploration = new Exploration(depth, 100, true);
      List<Long> hashes = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        try (Simulation sim = Simulation.exploring(7, exploration)) {
          countTwice(sim, new OffHeapCount());
          countTwice(sim, new MethodCount());
          hashes.add(sim.traceHash());
        }
      }
      assertThat(hashes.get(0)).as("depth %d", depth).isEqualTo(hashes.get(1));
    }
  }

  @Test
  void aCrashReachesAThreadThatHoldsAPlainLock() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          MethodCount count = new MethodCount();
          boolean ended =
              sim.run(
                  () -> {
                    count.up();
                    sim.crash(CrashKind.PROCESS_DEATH);
                  },
                  () -> {
                    while (count.value() < 100) {
                      count.up();
                    }
                  });
          assertThat(ended).isFalse();
        });
  }

  private static void nest(Object outer, Object inner) {
    synchronized (outer) {
      synchronized (inner) {
        assertThat(outer).isNotSameAs(inner);
      }
    }
  }

  private static void assertLost(Supplier<Count> count) {
    assertThatThrownBy(
            () ->
                Schedules.explore(
                    SCHEDULES, sim -> assertThat(countTwice(sim, count.get())).isTrue()))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("again with -Dloam.schedule.seed=");
  }

  /** Whether both of two threads counted. */
  private static boolean countTwice(Simulation sim, Count count) {
    sim.run(count::up, count::up);
    return count.value() == 2;
  }

  private static final class VolatileCount implements Count {
    private volatile long value;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // what the test is about
    public void up() {
      value++;
    }

    @Override
    public long value() {
      return value;
    }
  }

  private static final class TwoStepCount implements Count {
    private final AtomicLong value = new AtomicLong();

    @Override
    public void up() {
      value.set(value.get() + 1);
    }

    @Override
    public long value() {
      return value.get();
    }
  }

  private static final class OffHeapCount implements Count {
    private final long address = Mem.allocate(8, 8);

    OffHeapCount() {
      Mem.putLong(address, 0);
    }

    @Override
    public void up() {
      Mem.putLong(address, Mem.getLong(address) + 1);
    }

    @Override
    public long value() {
      long value = Mem.getLong(address);
      Mem.free(address);
      return value;
    }
  }

  private static final class MethodCount implements Count {
    private volatile long value;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    public synchronized void up() {
      value++;
    }

    @Override
    public synchronized long value() {
      return value;
    }
  }

  private static final class BlockCount implements Count {
    private final Object lock = new Object();
    private volatile long value;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    public void up() {
      synchronized (lock) {
        value++;
      }
    }

    @Override
    public long value() {
      return value;
    }
  }

  private static final class FailingCount implements Count {
    private volatile long value;

    @Override
    public void up() {
      try {
        failAfterwards();
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("counted");
      }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private synchronized void failAfterwards() {
      value++;
      throw new IllegalStateException("counted");
    }

    @Override
    public long value() {
      return value;
    }
  }
}
