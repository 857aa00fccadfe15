package org.loam.common.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles.Mode;
import org.loam.common.env.TaskRunner.Task;
import org.loam.common.mem.Mem;

/** Threads, time and waiting; what a crash does to threads is in {@link CrashUnwindTest}. */
class SimulationTest {
  private static final int SEEDS = 50;

  @Test
  void sameSeedSameTraceAndOtherSeedsOtherTraces() {
    Set<Long> hashes = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      long hash = traceOf(seed);
      assertThat(traceOf(seed)).as("seed %d again", seed).isEqualTo(hash);
      hashes.add(hash);
    }
    assertThat(hashes).hasSize(SEEDS);
  }

  @Test
  void simulationsInParallelAreTheSameAsAlone() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    AtomicLong same = new AtomicLong();
    for (long seed = 0; seed < 4; seed++) {
      long mine = seed;
      long alone = traceOf(mine);
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < 10; i++) {
                  same.addAndGet(traceOf(mine) == alone ? 1 : 0);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(same).hasValue(40);
  }

  /** Clients and tasks that share a monitor, a file, the clock and randomness. */
  private static long traceOf(long seed) {
    long memory = Mem.allocate(4096, 4096);
    Mem.fill(memory, 4096, (byte) 0);
    try (Simulation sim = Simulation.seeded(seed)) {
      StorageEnv env = sim.env();
      Monitor monitor = env.waiter().newMonitor("shared");
      AtomicBoolean stop = new AtomicBoolean();
      StorageFile file = env.files().open(sim.directory().resolve("f"), Mode.CREATE);
      Task ticker =
          env.tasks()
              .start(
                  "ticker",
                  () -> {
                    while (!stop.get()) {
                      env.waiter().pause(env.random().nextInt(1_000_000));
                    }
                  });
      Runnable client =
          () -> {
            for (int i = 0; i < 40; i++) {
              monitor.lock();
              try {
                monitor.await(1_000);
                Mem.putLong(memory, env.clock().nanoTime());
                file.write(i * 4096L, memory, 4096);
              } finally {
                monitor.unlock();
              }
            }
          };
      assertThat(sim.run(client, client)).isTrue();
      stop.set(true);
      ticker.join();
      return sim.traceHash();
    } finally {
      Mem.free(memory);
    }
  }

  @Test
  void inTurnsAThreadRunsUntilItWaits() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.exploring(seed, Exploration.TURNS)) {
        StringBuilder order = new StringBuilder();
        Monitor monitor = sim.env().waiter().newMonitor("shared");
        assertThat(
                sim.run(
                    () -> inTurns(sim, monitor, order, "a"),
                    () -> inTurns(sim, monitor, order, "b"),
                    () -> inTurns(sim, monitor, order, "c")))
            .isTrue();
        assertThat(order).as("seed %d", seed).hasToString("aaabbbcccabc");
      }
    }
  }

  /** Locks thrice without a wait, and once more after a pause. */
  private static void inTurns(Simulation sim, Monitor monitor, StringBuilder order, String name) {
    for (int i = 0; i < 4; i++) {
      monitor.lock();
      order.append(name);
      monitor.unlock();
      if (i == 2) {
        sim.env().waiter().pause(1_000_000);
      }
    }
  }

  @Test
  void writtenBytesArePartOfTheTrace() {
    long memory = Mem.allocate(8, 8);
    Set<Long> hashes = new HashSet<>();
    for (long value : new long[] {1, 2}) {
      try (Simulation sim = Simulation.seeded(7)) {
        Mem.putLong(memory, value);
        sim.env().files().open(sim.directory().resolve("f"), Mode.CREATE).write(0, memory, 8);
        hashes.add(sim.traceHash());
      }
    }
    Mem.free(memory);
    assertThat(hashes).hasSize(2);
  }

  @Test
  void threadsInterleaveOnlyAtSwitchingPoints() {
    int differs = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        StorageEnv env = sim.env();
        long[] count = new long[1];
        long[] torn = new long[1];
        Runnable unsafe =
            () -> {
              for (int i = 0; i < 100; i++) {
                count[0]++;
                long seen = torn[0];
                env.clock().nanoTime();
                torn[0] = seen + 1;
              }
            };
        sim.run(unsafe, unsafe);
        assertThat(count[0]).as("seed %d", seed).isEqualTo(200);
        differs += torn[0] < 200 ? 1 : 0;
      }
    }
    assertThat(differs).as("seeds whose schedule loses an update").isGreaterThan(SEEDS / 2);
  }

  @Test
  void monitorExcludesAndIsReentrant() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        StorageEnv env = sim.env();
        Monitor monitor = env.waiter().newMonitor("counter");
        long[] count = new long[1];
        Runnable client =
            () -> {
              for (int i = 0; i < 50; i++) {
                monitor.lock();
                monitor.lock();
                long seen = count[0];
                env.clock().nanoTime();
                count[0] = seen + 1;
                monitor.unlock();
                assertThat(monitor.isHeldByCurrentThread()).isTrue();
                env.waiter().pause(100);
                monitor.unlock();
                assertThat(monitor.isHeldByCurrentThread()).isFalse();
              }
            };
        sim.run(client, client, client);
        assertThat(count[0]).as("seed %d", seed).isEqualTo(150);
      }
    }
  }

  @Test
  void tryLockRefusesWhatAnotherHolds() {
    try (Simulation sim = Simulation.seeded(1)) {
      StorageEnv env = sim.env();
      Monitor monitor = env.waiter().newMonitor("m");
      monitor.lock();
      assertThat(monitor.tryLock()).isTrue();
      monitor.unlock();
      AtomicBoolean got = new AtomicBoolean(true);
      sim.run(() -> got.set(monitor.tryLock()));
      assertThat(got).isFalse();
      monitor.unlock();
      sim.run(() -> got.set(monitor.tryLock()));
      assertThat(got).isTrue();
      assertThatThrownBy(monitor::unlock).isInstanceOf(IllegalMonitorStateException.class);
      assertThatThrownBy(monitor::await).isInstanceOf(IllegalMonitorStateException.class);
      assertThatThrownBy(monitor::signalAll).isInstanceOf(IllegalMonitorStateException.class);
    }
  }

  @Test
  void tryLockWaitsUntilItsTime() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        StorageEnv env = sim.env();
        Monitor monitor = env.waiter().newMonitor("m");
        monitor.lock();
        long start = env.clock().nanoTime();
        sim.run(
            () -> {
              assertThat(monitor.tryLock(1, TimeUnit.SECONDS)).isFalse();
              assertThat(env.clock().nanoTime() - start).isBetween(1_000_000_000L, 1_100_000_000L);
            });
        Runnable holder =
            () -> {
              monitor.lock();
              env.waiter().pause(1_000_000_000);
              monitor.unlock();
            };
        Runnable patient =
            () -> {
              assertThat(monitor.tryLock(2, TimeUnit.SECONDS)).isTrue();
              assertThat(monitor.tryLock(0, TimeUnit.SECONDS)).as("once more").isTrue();
              monitor.unlock();
              monitor.unlock();
            };
        monitor.unlock();
        sim.run(holder, patient);
        assertThat(env.clock().nanoTime() - start).isBetween(2_000_000_000L, 2_100_000_000L);
      }
    }
  }

  @Test
  void awaitGivesTheMonitorUpAndWakesBySignal() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Monitor monitor = sim.env().waiter().newMonitor("queue");
        int[] items = new int[1];
        int[] taken = new int[1];
        Runnable take =
            () -> {
              for (int i = 0; i < 20; i++) {
                monitor.lock();
                while (items[0] == 0) {
                  monitor.await();
                }
                items[0]--;
                taken[0]++;
                monitor.unlock();
              }
            };
        Runnable put =
            () -> {
              for (int i = 0; i < 40; i++) {
                monitor.lock();
                items[0]++;
                monitor.signalAll();
                monitor.unlock();
              }
            };
        sim.run(take, put, take);
        assertThat(taken[0]).as("seed %d", seed).isEqualTo(40);
      }
    }
  }

  @Test
  void timedWaitsEndAtTheirTimeAndTimeJumpsWhenAllWait() {
    long hour = 3_600_000_000_000L;
    try (Simulation sim = Simulation.seeded(3)) {
      StorageEnv env = sim.env();
      Monitor monitor = env.waiter().newMonitor("m");
      long start = env.clock().nanoTime();
      monitor.lock();
      long left = hour;
      while (left > 0) {
        left = monitor.await(left);
      }
      monitor.unlock();
      assertThat(env.clock().nanoTime() - start).isBetween(hour, hour + 1_000_000);
      env.waiter().pause(hour);
      assertThat(env.clock().nanoTime() - start).isBetween(2 * hour, 2 * hour + 1_000_000);
    }
  }

  @Test
  void awaitSometimesWakesForNothing() {
    try (Simulation sim = Simulation.seeded(3)) {
      Monitor monitor = sim.env().waiter().newMonitor("m");
      int forNothing = 0;
      monitor.lock();
      for (int i = 0; i < 1_000; i++) {
        forNothing += monitor.await(1_000_000) > 0 ? 1 : 0;
      }
      assertThat(forNothing).isBetween(1, 100);
    }
  }

  @Test
  void spinLoopLetsTheOneWaitedForRun() {
    try (Simulation sim = Simulation.seeded(3)) {
      StorageEnv env = sim.env();
      AtomicBoolean ready = new AtomicBoolean();
      sim.run(
          () -> {
            while (!ready.get()) {
              env.waiter().spin();
            }
          },
          () -> {
            env.waiter().pause(5_000_000_000L);
            ready.set(true);
          });
      assertThat(ready).isTrue();
    }
  }

  @Test
  void aThreadThatCouldRunDoesNotWait() {
    long second = 1_000_000_000L;
    try (Simulation sim = Simulation.seeded(3)) {
      StorageEnv env = sim.env();
      Monitor monitor = env.waiter().newMonitor("m");
      StorageFile file = env.files().open(sim.directory().resolve("f"), Mode.CREATE);
      AtomicBoolean ready = new AtomicBoolean();
      List<Long> waited = new ArrayList<>();
      sim.run(
          () -> {
            long begin = env.clock().nanoTime();
            while (env.clock().nanoTime() - begin < second / 10) {
              waited.add(sim.waitedNanos());
            }
          },
          () -> {
            for (int i = 0; i < 100; i++) {
              file.force();
            }
          });
      assertThat(waited).isNotEmpty().containsOnly(0L);
      waited.clear();
      Runnable locks =
          () -> {
            env.waiter().pause(second / 2);
            monitor.lock();
            waited.add(sim.waitedNanos());
            monitor.unlock();
          };
      Runnable spins =
          () -> {
            while (!ready.get()) {
              env.waiter().spin();
            }
            waited.add(sim.waitedNanos());
          };
      Runnable pauses =
          () -> {
            monitor.lock();
            env.waiter().pause(second);
            waited.add(sim.waitedNanos());
            ready.set(true);
            monitor.unlock();
          };
      sim.run(locks, spins, pauses);
      assertThat(waited)
          .hasSize(3)
          .allSatisfy(nanos -> assertThat(nanos).isBetween(second * 99 / 100, second * 2));
    }
  }

  @Test
  void settleRunsTheOthersUntilTheyWait() {
    try (Simulation sim = Simulation.seeded(3)) {
      StorageEnv env = sim.env();
      Monitor monitor = env.waiter().newMonitor("m");
      List<String> events = new ArrayList<>();
      Task task =
          env.tasks()
              .start(
                  "worker",
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      env.clock().nanoTime();
                    }
                    events.add("worked");
                    env.waiter().pause(1_000_000_000L);
                    events.add("woke");
                  });
      long before = env.clock().nanoTime();
      sim.settle();
      assertThat(events).containsExactly("worked");
      assertThat(env.clock().nanoTime() - before).isLessThan(1_000_000_000L);
      assertThat(task.isAlive()).isTrue();
      task.join();
      assertThat(events).containsExactly("worked", "woke");
      assertThat(task.isAlive()).isFalse();
      monitor.lock();
      sim.settle();
    }
  }

  @Test
  void plantedDeadlockIsReportedWithThreadsMonitorsAndHolders() {
    int found = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        Monitor a = sim.env().waiter().newMonitor("monitor-a");
        Monitor b = sim.env().waiter().newMonitor("monitor-b");
        try {
          sim.run(() -> nest(a, b), () -> nest(b, a));
        } catch (SimulationFailure e) {
          if (e.getMessage().startsWith("lock order: ")) {
            // No thread had to wait for the other, this time.
            continue;
          }
          found++;
          assertThat(e)
              .hasMessageContaining("deadlock")
              .hasMessageContaining("seed " + seed)
              .hasMessageContaining("client-0 wants monitor monitor-b (held by client-1)")
              .hasMessageContaining("client-1 wants monitor monitor-a (held by client-0)")
              .hasMessageContaining("SimulationTest.nest");
        }
      }
    }
    assertThat(found).isGreaterThan(SEEDS / 4);
  }

  private static void nest(Monitor outer, Monitor inner) {
    for (int i = 0; i < 20; i++) {
      outer.lock();
      inner.lock();
      inner.unlock();
      outer.unlock();
    }
  }

  @Test
  void lostSignalIsADeadlockEvenForTheMakersThread() {
    try (Simulation sim = Simulation.seeded(3)) {
      Monitor monitor = sim.env().waiter().newMonitor("never-signalled");
      sim.env().tasks().start("idle", () -> awaitForEver(monitor));
      assertThatThrownBy(() -> awaitForEver(monitor))
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining("main awaits a signal of monitor never-signalled");
    }
  }

  @Test
  void clientThatWaitsWhileTimersTickForEverIsAHang() {
    try (Simulation sim = Simulation.seeded(3)) {
      StorageEnv env = sim.env();
      Monitor monitor = env.waiter().newMonitor("never-signalled");
      env.tasks()
          .start(
              "ticker",
              () -> {
                while (true) {
                  env.waiter().pause(1_000_000_000L);
                }
              });
      assertThatThrownBy(() -> sim.run(() -> awaitForEver(monitor)))
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining("hang: client-0");
    }
  }

  @Test
  void clientThatAsksAgainAndAgainInVainIsAHang() {
    try (Simulation sim = Simulation.seeded(3)) {
      StorageEnv env = sim.env();
      Monitor monitor = env.waiter().newMonitor("polled");
      assertThatThrownBy(
              () ->
                  sim.run(
                      () -> {
                        while (true) {
                          monitor.lock();
                          monitor.await(100_000_000L);
                          monitor.unlock();
                        }
                      }))
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining("hang: main");
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
  void spinningForEverIsALivelock() {
    try (Simulation sim = Simulation.seeded(3)) {
      StorageEnv env = sim.env();
      env.tasks()
          .start(
              "ticker",
              () -> {
                while (true) {
                  env.waiter().pause(1_000_000L);
                }
              });
      Runnable spinning =
          () -> {
            while (true) {
              env.waiter().spin();
            }
          };
      assertThatThrownBy(() -> sim.run(spinning))
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining("livelock");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatEscapesAThreadFailsTheRunWithTheSeed(boolean client) {
    IllegalStateException planted = new IllegalStateException("planted");
    Runnable dying =
        () -> {
          throw planted;
        };
    try (Simulation sim = Simulation.seeded(99)) {
      StorageEnv env = sim.env();
      Runnable body = client ? dying : () -> env.tasks().start("task", dying).join();
      assertThatThrownBy(() -> sim.run(body))
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining(client ? "client-0 died" : "task died")
          .hasMessageContaining("seed 99")
          .hasCause(planted);
    }
  }

  @Test
  void threadsOfOthersAreRefused() throws InterruptedException {
    try (Simulation sim = Simulation.seeded(3)) {
      StorageEnv env = sim.env();
      Throwable[] refused = new Throwable[1];
      Thread stranger = new Thread(env.clock()::nanoTime, "stranger");
      stranger.setUncaughtExceptionHandler((t, e) -> refused[0] = e);
      stranger.start();
      stranger.join();
      assertThat(refused[0])
          .isInstanceOf(SimulationFailure.class)
          .hasMessageContaining("thread stranger")
          .hasMessageContaining("not started by it");
    }
  }

  @Test
  void interruptedClientsWaitAndStayInterrupted() {
    try (Simulation sim = Simulation.seeded(3)) {
      StorageEnv env = sim.env();
      AtomicBoolean flagKept = new AtomicBoolean();
      sim.run(
          () -> {
            Thread.currentThread().interrupt();
            env.waiter().pause(1_000);
            flagKept.set(Thread.currentThread().isInterrupted());
          },
          () -> env.waiter().pause(2_000));
      assertThat(flagKept).isTrue();
    }
  }
}
