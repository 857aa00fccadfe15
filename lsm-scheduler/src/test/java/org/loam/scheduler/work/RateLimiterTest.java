package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.sim.Simulation;

class RateLimiterTest {
  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000_000;

  /** What the clock of the simulation may move while a thread just computes. */
  private static final long SLACK_NANOS = 200_000;

  private record Grant(long atNanos, long bytes) {}

  @Test
  void inNoPeriodIsMoreGrantedThanTheRateAndOneBurst() {
    for (long seed = 0; seed < 30; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        StorageEnv env = sim.env();
        Random random = new Random(seed);
        long rate = MB << random.nextInt(8);
        RateLimiter limiter = new RateLimiter(env, rate);
        long quantumBytes = limiter.quantumBytes(MB);
        List<Grant> grants = new ArrayList<>();
        Runnable[] clients = new Runnable[4];
        for (int i = 0; i < clients.length; i++) {
          IoClass ioClass = i == 0 ? IoClass.FLUSH : i == 1 ? IoClass.L0 : IoClass.MERGE;
          clients[i] =
              () -> {
                RateLimiter.Claim claim = limiter.newClaim(ioClass);
                for (int n = 0; n < 50; n++) {
                  long bytes = 1 + random.nextLong(quantumBytes);
                  claim.acquire(bytes);
                  grants.add(new Grant(env.clock().nanoTime(), bytes));
                  if (random.nextInt(10) == 0) {
                    env.waiter().pause(random.nextLong(100_000_000));
                  }
                }
              };
        }
        sim.run(clients);
        checkPeriods(grants, rate, quantumBytes, seed);
      }
    }
  }

  private static void checkPeriods(List<Grant> grants, long rate, long quantumBytes, long seed) {
    double burstBytes =
        Math.max((double) quantumBytes, rate / 1e9 * (RateLimiter.BURST_NANOS + SLACK_NANOS));
    for (int from = 0; from < grants.size(); from++) {
      double bytes = 0;
      for (Grant grant : grants.subList(from, grants.size())) {
        bytes += grant.bytes;
        long nanos = grant.atNanos - grants.get(from).atNanos + SLACK_NANOS;
        assertThat(bytes)
            .as("seed " + seed + ", bytes in " + nanos + " ns from grant " + from)
            .isLessThanOrEqualTo(rate / 1e9 * nanos + burstBytes);
      }
    }
  }

  @Test
  void nothingOfTheRateIsLostWhileAThreadWaits() {
    try (Simulation sim = Simulation.seeded(1)) {
      StorageEnv env = sim.env();
      RateLimiter limiter = new RateLimiter(env, 100 * MB);
      long start = env.clock().nanoTime();
      Runnable client =
          () -> {
            RateLimiter.Claim claim = limiter.newClaim(IoClass.MERGE);
            for (int i = 0; i < 500; i++) {
              claim.acquire(MB);
            }
          };
      sim.run(client, client);
      double seconds = (env.clock().nanoTime() - start) / 1e9;
      assertThat(seconds).isBetween(9.97, 10.0);
      assertThat(limiter.use(IoClass.MERGE).grantedBytes()).isEqualTo(1000 * MB);
      assertThat(limiter.use(IoClass.MERGE).waitedNanos() / 1e9).isBetween(19.9, 20.1);
      assertThat(limiter.use(IoClass.FLUSH)).isEqualTo(new RateLimiter.Use(0, 0));
    }
  }

  @Test
  void theMoreUrgentGoesFirstAndEqualsInTurn() {
    try (Simulation sim = Simulation.seeded(2)) {
      StorageEnv env = sim.env();
      RateLimiter limiter = new RateLimiter(env, MB);
      limiter.newClaim(IoClass.MERGE).acquire(MB); // owes most of a second
      List<String> order = new ArrayList<>();
      sim.run(
          after(env, 1, limiter.newClaim(IoClass.MERGE), order, "merge 1"),
          after(env, 2, limiter.newClaim(IoClass.MERGE), order, "merge 2"),
          after(env, 3, limiter.newClaim(IoClass.L0), order, "L0"),
          after(env, 4, limiter.newClaim(IoClass.FLUSH), order, "flush"));
      assertThat(order).containsExactly("flush", "L0", "merge 1", "merge 2");
    }
  }

  @Test
  void aWaitThatBecomesUrgentOvertakes() {
    try (Simulation sim = Simulation.seeded(3)) {
      StorageEnv env = sim.env();
      RateLimiter limiter = new RateLimiter(env, MB);
      limiter.newClaim(IoClass.MERGE).acquire(MB);
      List<String> order = new ArrayList<>();
      RateLimiter.Claim raised = limiter.newClaim(IoClass.MERGE);
      sim.run(
          after(env, 1, limiter.newClaim(IoClass.L0), order, "L0"),
          after(env, 2, raised, order, "raised"),
          () -> {
            env.waiter().pause(3_000_000);
            raised.setIoClass(IoClass.FLUSH);
          });
      assertThat(order).containsExactly("raised", "L0");
      assertThat(raised.ioClass()).isEqualTo(IoClass.FLUSH);
    }
  }

  private static Runnable after(
      StorageEnv env, int millis, RateLimiter.Claim claim, List<String> order, String name) {
    return () -> {
      env.waiter().pause(millis * 1_000_000L);
      claim.acquire(64 << 10);
      order.add(name);
    };
  }

  /** The second one waits behind the first, and for no time of its own. */
  @Test
  void theEndOfTheLimitLetsAllGo() {
    try (Simulation sim = Simulation.seeded(5)) {
      StorageEnv env = sim.env();
      RateLimiter limiter = new RateLimiter(env, 1000);
      limiter.newClaim(IoClass.MERGE).acquire(1_000_000); // owes 1000 seconds
      long start = env.clock().nanoTime();
      sim.run(
          () -> limiter.newClaim(IoClass.MERGE).acquire(1000),
          () -> limiter.newClaim(IoClass.L0).acquire(1_000_000),
          () -> {
            env.waiter().pause(SECOND);
            limiter.setBytesPerSecond(0);
          });
      assertThat((env.clock().nanoTime() - start) / 1e9).isBetween(1.0, 1.001);
    }
  }

  @Test
  void offItDoesNotTouchTheEnvironment() {
    try (Simulation sim = Simulation.seeded(6)) {
      RateLimiter limiter = new RateLimiter(sim.env(), 0);
      RateLimiter.Claim claim = limiter.newClaim(IoClass.MERGE);
      long before = sim.traceHash();
      claim.acquire(Long.MAX_VALUE / 2);
      claim.giveBack(5);
      assertThat(sim.traceHash()).isEqualTo(before);
      assertThat(limiter.quantumBytes(MB)).isEqualTo(MB);
    }
  }
}
