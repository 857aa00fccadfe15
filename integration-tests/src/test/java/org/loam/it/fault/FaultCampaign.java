package org.loam.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.SimDisk;
import org.loam.common.sim.Simulation;
import org.loam.it.fault.FaultRun.Beginning;
import org.loam.it.fault.FaultRun.Facts;
import org.loam.it.fault.Script.Step;
import org.loam.it.model.Ledger;

/**
 * All runs of one schedule: the script is played life by life without a strike, to count the calls
 * and to keep what each life begins with; then each life again for each of its calls.
 */
final class FaultCampaign {
  private static final int THREADS = 2;

  private static final int SEEDS_TO_TRY = 50;

  /** Of the strikes that go on, a build plays one call in so many. */
  private static final int ONE_IN = Integer.getInteger("loam.fault.oneIn", 6);

  private final Durability durability;

  /** Life by life there is another scheme of write memory; campaigns begin with different ones. */
  private final long firstScheme;

  private final long seed;
  private final List<Beginning> beginnings = new ArrayList<>();
  private final List<Map<Strike, Long>> counts = new ArrayList<>();

  private record Play(Strike strike, int life, long nth) {}

  /**
   * Plays the workload once without a fault, under the first seed from {@code firstSeed} on whose
   * schedule shows all that the faults are to strike: a merge that a crash leaves unfinished is a
   * matter of timing.
   */
  FaultCampaign(Durability durability, long firstSeed) {
    this.durability = durability;
    this.firstScheme =
        (firstSeed * Durability.values().length + durability.ordinal()) * Script.lives().size();
    long candidate = firstSeed;
    Facts facts = playWithoutStrike(candidate);
    while (facts.orphans == 0 && candidate < firstSeed + SEEDS_TO_TRY) {
      candidate++;
      facts = playWithoutStrike(candidate);
    }
    this.seed = candidate;
    assertThat(facts.flushes).as("flushes").isPositive();
    assertThat(facts.merges).as("merges").isPositive();
    assertThat(facts.levels).as("levels").isGreaterThanOrEqualTo(2);
    assertThat(facts.segments).as("log segments").isGreaterThanOrEqualTo(2);
    assertThat(facts.orphans).as("files of an unfinished merge").isPositive();
  }

  private Facts playWithoutStrike(long seed) {
    beginnings.clear();
    counts.clear();
    Facts most = new Facts();
    SimDisk empty;
    try (Simulation sim = Simulation.seeded(seed)) {
      empty = sim.disk().copy();
    }
    Beginning beginning = new Beginning(0, empty, new Ledger(Script.TREES), false);
    List<List<Step>> lives = Script.lives();
    for (int life = 0; life < lives.size(); life++) {
      beginnings.add(beginning);
      try (Simulation sim = Simulation.over(beginning.disk().copy(), seed + life)) {
        FaultRun run = new FaultRun(sim, beginning, config(life), Strike.ERROR_ONCE, 0);
        Facts facts = run.run();
        counts.add(countCalls(sim));
        beginning = run.next(life + 1);
        most.flushes += facts.flushes;
        most.merges += facts.merges;
        most.levels = Math.max(most.levels, facts.levels);
        most.segments = Math.max(most.segments, facts.segments);
        most.orphans += facts.orphans;
      }
    }
    return most;
  }

  private EngineConfig config(int life) {
    WriteScheme[] schemes = WriteScheme.values();
    int scheme = Math.floorMod(firstScheme + life, schemes.length);
    return FaultRun.config(durability, schemes[scheme]);
  }

  private static Map<Strike, Long> countCalls(Simulation sim) {
    Map<Strike, Long> counts = new EnumMap<>(Strike.class);
    for (Strike strike : Strike.values()) {
      long count = 0;
      for (IoKind kind : IoKind.values()) {
        count += strike.concerns(kind) ? sim.counters().calls(kind) : 0;
      }
      counts.put(strike, count);
    }
    return counts;
  }

  /** Plays every run, prints what was planned and what happened, and returns how many. */
  int playAll() {
    int runs = 0;
    for (Strike strike : Strike.values()) {
      List<Play> plays = new ArrayList<>();
      for (int life = 0; life < beginnings.size(); life++) {
        // Different calls for each schedule and each durability.
        long first = strike.goesOn() ? 1 + (3 * seed + durability.ordinal()) % ONE_IN : 1;
        long step = strike.goesOn() ? ONE_IN : 1;
        for (long n = first; n <= counts.get(life).get(strike); n += step) {
          plays.add(new Play(strike, life, n));
        }
      }
      long begin = System.nanoTime();
      List<Facts> facts = playAll(plays);
      long fired = facts.stream().filter(f -> f.struck).count();
      Map<IoKind, Long> kinds = new TreeMap<>();
      facts.stream()
          .filter(f -> f.struckKind != null)
          .forEach(f -> kinds.merge(f.struckKind, 1L, Long::sum));
      System.out.printf(
          "every call fails: %s %s planned %d, fired %d, exceptions %d, fences %d, lost 0, wrong 0"
              + " (%d ms) %s%n",
          durability,
          strike,
          plays.size(),
          fired,
          facts.stream().mapToLong(f -> f.refusals).sum(),
          facts.stream().mapToLong(f -> f.fences).sum(),
          (System.nanoTime() - begin) / 1_000_000,
          kinds);
      assertThat(fired).as("%s %s fired", durability, strike).isEqualTo(plays.size());
      runs += plays.size();
    }
    return runs;
  }

  private List<Facts> playAll(List<Play> plays) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Facts>> running = new ArrayList<>();
      for (Play play : plays) {
        running.add(threads.submit(() -> play(play)));
      }
      List<Facts> facts = new ArrayList<>();
      for (Future<Facts> future : running) {
        facts.add(future.get());
      }
      return facts;
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Plays one run: durability, strike, life, call. */
  void replay(String text) {
    String[] part = text.split(",", -1);
    play(new Play(Strike.valueOf(part[1]), Integer.parseInt(part[2]), Long.parseLong(part[3])));
  }

  private Facts play(Play play) {
    Beginning beginning = beginnings.get(play.life());
    SimDisk disk;
    synchronized (beginning) {
      disk = beginning.disk().copy();
    }
    try (Simulation sim = Simulation.over(disk, seed + play.life())) {
      try {
        EngineConfig config = config(play.life());
        return new FaultRun(sim, beginning, config, play.strike(), play.nth()).run();
      } catch (Throwable t) {
        String replay = "-Dloam.fault.run=" + durability + "," + play.strike() + "," + play.life();
        throw new AssertionError(
            replay + "," + play.nth() + ": " + t.getMessage() + "\n" + sim.trace(), t);
      }
    }
  }
}
