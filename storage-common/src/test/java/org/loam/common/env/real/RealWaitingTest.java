package org.loam.common.env.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner.Task;

class RealWaitingTest {
  private final StorageEnv env = RealEnv.create();

  @Test
  void awaitAndJoinIgnoreInterruptsAndKeepTheFlag() {
    Monitor monitor = env.waiter().newMonitor("test");
    AtomicBoolean ready = new AtomicBoolean();
    AtomicBoolean flagKept = new AtomicBoolean();
    Task waiting =
        env.tasks()
            .start(
                "waiting",
                () -> {
                  Thread.currentThread().interrupt();
                  monitor.lock();
                  try {
                    while (!ready.get()) {
                      monitor.await(Long.MAX_VALUE / 2);
                    }
                  } finally {
                    monitor.unlock();
                  }
                  flagKept.set(Thread.currentThread().isInterrupted());
                });
    monitor.lock();
    try {
      ready.set(true);
      monitor.signalAll();
    } finally {
      monitor.unlock();
    }
    Thread.currentThread().interrupt();
    waiting.join();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(waiting.isAlive()).isFalse();
    assertThat(flagKept).isTrue();
  }

  @Test
  void timedWaitsEndAfterTheirTimeEvenWhenInterrupted() {
    Monitor monitor = env.waiter().newMonitor("test");
    Thread.currentThread().interrupt();
    long start = env.clock().nanoTime();
    monitor.lock();
    try {
      assertThat(monitor.await(2_000_000)).isLessThanOrEqualTo(0);
    } finally {
      monitor.unlock();
    }
    env.waiter().pause(3_000_000);
    assertThat(env.clock().nanoTime() - start).isGreaterThanOrEqualTo(5_000_000);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aLockIsGivenUpAfterItsTimeEvenWhenInterrupted() {
    Monitor monitor = env.waiter().newMonitor("test");
    AtomicBoolean got = new AtomicBoolean(true);
    AtomicBoolean flagKept = new AtomicBoolean();
    monitor.lock();
    Runnable impatient =
        () -> {
          Thread.currentThread().interrupt();
          got.set(monitor.tryLock(2, TimeUnit.MILLISECONDS));
          flagKept.set(Thread.currentThread().isInterrupted());
        };
    long start = env.clock().nanoTime();
    env.tasks().start("impatient", impatient).join();
    assertThat(got).isFalse();
    assertThat(env.clock().nanoTime() - start).isGreaterThanOrEqualTo(2_000_000);
    assertThat(flagKept).isTrue();
    monitor.unlock();
    env.tasks()
        .start("next", () -> got.set(monitor.tryLock(Long.MAX_VALUE, TimeUnit.NANOSECONDS)))
        .join();
    assertThat(got).isTrue();
  }

  @Test
  void monitorIsReentrantExclusiveAndKnowsItsHolder() {
    Monitor monitor = env.waiter().newMonitor("test");
    monitor.lock();
    monitor.lock();
    AtomicBoolean other = new AtomicBoolean(true);
    env.tasks().start("other", () -> other.set(monitor.tryLock())).join();
    assertThat(other).isFalse();
    monitor.unlock();
    assertThat(monitor.isHeldByCurrentThread()).isTrue();
    monitor.unlock();
    assertThat(monitor.isHeldByCurrentThread()).isFalse();
    assertThatThrownBy(monitor::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(monitor::await).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void tasksAreNamedDaemons() {
    AtomicBoolean right = new AtomicBoolean();
    env.tasks()
        .start(
            "flush-0",
            () ->
                right.set(
                    Thread.currentThread().isDaemon()
                        && Thread.currentThread().getName().equals("flush-0")))
        .join();
    assertThat(right).isTrue();
  }

  @Test
  void randomValuesDifferAndTwoEnvironmentsDiffer() {
    Set<Long> seen = new HashSet<>();
    RandomGenerator other = RealEnv.create().random();
    for (int i = 0; i < 1_000; i++) {
      seen.add(env.random().nextLong());
      seen.add(other.nextLong());
    }
    assertThat(seen).hasSize(2_000);
  }
}
