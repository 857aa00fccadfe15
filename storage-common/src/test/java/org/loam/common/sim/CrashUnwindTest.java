package org.loam.common.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.error.InUseException;
import org.loam.common.mem.Mem;

/** What a crash does to threads, handles and locks. */
class CrashUnwindTest {
  private static final String LEFT = "left by a dead process";

  @ParameterizedTest
  @EnumSource
  void threadsThatHoldMonitorsOrWaitAreUnwoundOneByOne(CrashKind kind) {
    for (long seed = 0; seed < 30; seed++) {
      AtomicInteger unwound = new AtomicInteger();
      try (Simulation sim = Simulation.seeded(seed)) {
        StorageEnv env = sim.env();
        Monitor monitor = env.waiter().newMonitor("m");
        Monitor other = env.waiter().newMonitor("other");
        env.tasks().start("awaits", () -> counting(unwound, () -> awaitForEver(other)));
        env.tasks()
            .start("pauses", () -> counting(unwound, () -> env.waiter().pause(Long.MAX_VALUE)));
        sim.settle();
        boolean ended =
            sim.run(
                () -> counting(unwound, () -> holdAndCrash(sim, monitor, kind)),
                () -> counting(unwound, () -> lockForEver(monitor)));
        assertThat(ended).as("seed %d", seed).isFalse();
        assertThat(sim.crashed()).isTrue();
        assertThat(unwound).as("seed %d", seed).hasValue(4);
        assertThat(sim.counters().crashes()).isEqualTo(1);
        assertThat(sim.run(() -> sim.env().clock().nanoTime())).isTrue();
        assertThat(sim.crashed()).isFalse();
      }
    }
  }

  private static void counting(AtomicInteger unwound, Runnable body) {
    try {
      body.run();
    } finally {
      unwound.incrementAndGet();
    }
  }

  private static void holdAndCrash(Simulation sim, Monitor monitor, CrashKind kind) {
    monitor.lock();
    try {
      sim.env().waiter().pause(1_000_000);
      sim.crash(kind);
    } finally {
      monitor.unlock();
    }
  }

  private static void lockForEver(Monitor monitor) {
    while (true) {
      monitor.lock();
      monitor.unlock();
    }
  }

  private static void awaitForEver(Monitor monitor) {
    monitor.lock();
    try {
      while (true) {
        monitor.await();
      }
    } finally {
      monitor.unlock();
    }
  }

  @Test
  void plannedCrashStrikesAtTheCallAndAtTheStep() {
    try (Simulation sim = Simulation.seeded(5)) {
      sim.crashAtCall(3, CrashKind.PROCESS_DEATH);
      boolean ended =
          sim.run(
              () -> {
                while (true) {
                  sim.env().files().list(sim.directory());
                }
              });
      assertThat(ended).isFalse();
      assertThat(sim.counters().calls(IoKind.LIST)).isEqualTo(3);

      sim.crashAtStep(10, CrashKind.PROCESS_DEATH);
      long before = sim.counters().steps();
      sim.run(
          () -> {
            while (true) {
              sim.env().clock().nanoTime();
            }
          });
      assertThat(sim.counters().steps() - before).isEqualTo(10);
    }
  }

  @Test
  void crashInTheMakersThreadIsThrownThereAndTheNextEnvironmentIsFresh() {
    try (Simulation sim = Simulation.seeded(5)) {
      StorageEnv old = sim.env();
      old.files().lock(sim.directory().resolve("LOCK"));
      assertThatThrownBy(() -> sim.env().files().lock(sim.directory().resolve("LOCK")))
          .isInstanceOf(InUseException.class);
      sim.crashAtCall(1, CrashKind.PROCESS_DEATH);
      assertThatThrownBy(() -> old.files().list(sim.directory()))
          .isInstanceOf(SimulatedCrash.class);
      StorageEnv fresh = sim.env();
      assertThat(fresh).isNotSameAs(old).isSameAs(sim.env());
      fresh.files().lock(sim.directory().resolve("LOCK")).close();
      assertThatThrownBy(() -> old.clock().nanoTime()).isInstanceOf(SimulatedCrash.class);
    }
  }

  @Test
  void timeGoesOnOverACrash() {
    try (Simulation sim = Simulation.seeded(5)) {
      sim.env().waiter().pause(1_000_000_000L);
      long before = sim.env().clock().nanoTime();
      sim.crash(CrashKind.PROCESS_DEATH);
      assertThat(sim.env().clock().nanoTime()).isGreaterThan(before);
    }
  }

  @Test
  void threadThatSwallowsTheCrashAndEndsIsAFailure() {
    Simulation sim = Simulation.seeded(5);
    assertThatThrownBy(
            () ->
                sim.run(
                    () -> {
                      try {
                        sim.crash(CrashKind.POWER_LOSS);
                      } catch (SimulatedCrash e) {
                        // The planted mistake.
                      }
                    }))
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("client-0 swallowed the crash")
        .hasMessageContaining("seed 5");
    sim.close();
  }

  @Test
  void threadThatSwallowsTheCrashAndGoesOnIsAFailure() {
    Simulation sim = Simulation.seeded(5);
    StorageEnv env = sim.env();
    env.tasks()
        .start(
            "stubborn",
            () -> {
              while (true) {
                try {
                  env.waiter().pause(1_000);
                } catch (SimulatedCrash e) {
                  // The planted mistake.
                }
              }
            });
    assertThatThrownBy(() -> sim.run(() -> sim.crash(CrashKind.PROCESS_DEATH)))
        .isInstanceOf(SimulationFailure.class)
        .hasMessageContaining("stubborn swallowed the crash and goes on");
    sim.close();
  }

  @Test
  void failureBeforeTheCrashIsNotForgotten() {
    try (Simulation sim = Simulation.seeded(5)) {
      assertThatThrownBy(
              () ->
                  sim.run(
                      () -> {
                        throw new AssertionError("wrong answer");
                      },
                      () -> {
                        sim.env().waiter().pause(1_000_000_000L);
                        sim.crash(CrashKind.POWER_LOSS);
                      }))
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining("wrong answer");
    }
  }

  @Test
  void memoryThatADeadProcessLeftIsGivenBack() {
    try (Simulation sim = Simulation.seeded(5)) {
      long mine = Mem.allocate(100, 8);
      int before = allocations();
      sim.run(() -> Mem.allocate(1_000, 8, LEFT));
      assertThat(allocations()).as("a normal end frees nothing").isEqualTo(before + 1);
      sim.env().tasks().start("task", () -> Mem.allocate(1_000, 8, LEFT)).join();
      sim.run(
          () -> {
            Mem.allocate(1_000, 8, LEFT);
            sim.crash(CrashKind.PROCESS_DEATH);
          });
      assertThat(allocations()).isEqualTo(before);
      Mem.free(mine);
    }
  }

  private static int allocations() {
    return (int) Mem.describeLive().lines().filter(line -> line.contains(LEFT)).count();
  }

  @Test
  void closeEndsTasksThatAreStillThere() {
    AtomicInteger unwound = new AtomicInteger();
    try (Simulation sim = Simulation.seeded(5)) {
      StorageEnv env = sim.env();
      Monitor monitor = env.waiter().newMonitor("m");
      env.tasks().start("waits", () -> counting(unwound, () -> awaitForEver(monitor)));
      sim.settle();
      env.files().open(sim.directory().resolve("f"), Mode.CREATE);
    }
    assertThat(unwound).hasValue(1);
  }
}
