package org.loam.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.it.Seeds;

/**
 * Acknowledged writes survive crashes; more than 5,200 of them in the tests together. {@code
 * -Dloam.crash.seed=N} runs one seed, {@code -Dloam.crash.first=N} and {@code -Dloam.crash.seeds=N}
 * other ones.
 */
@Tag("once")
class CrashSimulationTest {
  private static final int SEEDS = 230;

  private static final int DATASET_SEEDS = 56;

  private static final int SWEEP_SEEDS = 34;

  private static final int EDITS_SEEDS = 40;

  private static final int POPULAR_SEEDS = 14;

  /** From 1 on: two directories, then three. */
  private static final int SEEDS_AGAIN = 2;

  @Test
  void nothingAcknowledgedIsLost() throws InterruptedException {
    CrashTotals totals = crash(SEEDS, false);
    System.out.println("crash simulation: " + totals);
  }

  @Test
  void indexesAgreeWithRecordsAfterCrashes() throws InterruptedException {
    CrashTotals totals = crash(DATASET_SEEDS, true);
    System.out.println("crash simulation with datasets: " + totals);
    System.out.println("crash simulation with datasets: " + totals.ofDatasets());
    if (totals.runs >= DATASET_SEEDS) {
      assertThat(totals.queries).isGreaterThan(50 * totals.runs);
      assertThat(totals.multiGets).isGreaterThan(20 * totals.runs);
      assertThat(totals.indexChanges).isGreaterThan(5 * totals.runs);
      assertThat(totals.indexChangesCrashed).isGreaterThan(totals.runs / 4);
    }
  }

  /** A read of the verification fails, by a fault that was planned for an earlier life. */
  @Test
  void aFaultThatStrikesInAVerificationIsAllowedOnce() {
    new CrashRun(7777000000241L, CrashTrial.LIVES, false).run();
  }

  /** A failure can be looked into only if its seed makes the same run again, in any thread. */
  @Test
  void aSeedMakesTheSameRunAgain() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      for (long seed = 1; seed <= SEEDS_AGAIN; seed++) {
        long same = seed;
        long hash = traceHash(same);
        assertThat(other.submit(() -> traceHash(same)).get()).as("seed %s", same).isEqualTo(hash);
      }
    } finally {
      other.shutdownNow();
    }
  }

  private static long traceHash(long seed) {
    CrashRun run = new CrashRun(seed, CrashTrial.LIVES, true);
    run.run();
    return run.traceHash();
  }

  private static CrashTotals crash(long usual, boolean datasets) throws InterruptedException {
    CrashTotals totals = new CrashTotals();
    long seeds =
        run(usual, () -> seed -> totals.add(new CrashRun(seed, CrashTrial.LIVES, datasets).run()));
    assertThat(totals.runs).isEqualTo(seeds);
    assertThat(totals.faultsFired).isEqualTo(totals.faultsPlanned);
    if (seeds >= usual) {
      // The simulation is worth something only if all of this happens.
      assertThat(totals.crashes).isGreaterThan(seeds * 47 / 10);
      assertThat(totals.crashesInRecovery).isGreaterThan(totals.crashes / 5);
      assertThat(totals.operations).isGreaterThan(500 * seeds);
      assertThat(totals.runsWithFlush).isGreaterThan(seeds * 9 / 10);
      assertThat(totals.runsWithMerge).isGreaterThan(seeds * 9 / 10);
      assertThat(totals.loads).isGreaterThan(seeds / 2);
      assertThat(totals.livesWithMove).isGreaterThan(seeds / 20);
    }
    return totals;
  }

  @Test
  void recoveryMayCrashAtEveryCall() throws InterruptedException {
    List<RecoveryTrial> trials = new ArrayList<>();
    long seeds =
        run(
            SWEEP_SEEDS,
            () -> {
              RecoveryTrial trial = new RecoveryTrial();
              trials.add(trial);
              return trial;
            });
    int crashes = trials.stream().mapToInt(RecoveryTrial::crashes).sum();
    System.out.println("recovery sweep: seeds " + seeds + ", crashes " + crashes + ", lost 0");
    assertThat(crashes).isGreaterThan((int) (115 * seeds));
  }

  @Test
  void editsThatMeetCountAsOneAfterTheOther() throws InterruptedException {
    System.out.println("crash simulation, edits: seeds " + run(EDITS_SEEDS, EditsTrial::new));
  }

  /** Where popular keys lie far apart, more than a tenth of the flushes are cut at gaps. */
  @Test
  void popularKeysFarApartSurvive() throws InterruptedException {
    List<PopularKeysTrial> trials = new ArrayList<>();
    long seeds =
        run(
            POPULAR_SEEDS,
            () -> {
              PopularKeysTrial trial = new PopularKeysTrial();
              trials.add(trial);
              return trial;
            });
    int flushes = trials.stream().mapToInt(PopularKeysTrial::flushes).sum();
    int cut = trials.stream().mapToInt(PopularKeysTrial::flushesCutAtGaps).sum();
    System.out.printf(
        "crash simulation, popular keys: seeds %d, flushes %d, cut at gaps %d%n",
        seeds, flushes, cut);
    if (seeds >= POPULAR_SEEDS) {
      assertThat(cut).isGreaterThan(flushes / 10);
    }
  }

  /** Runs seeds on two threads; returns how many. */
  private static long run(long usual, Supplier<LongConsumer> newTrial) throws InterruptedException {
    Long one = Long.getLong("loam.crash.seed");
    if (one != null) {
      newTrial.get().accept(one);
      return 1;
    }
    long first = Long.getLong("loam.crash.first", 0);
    long seeds = Long.getLong("loam.crash.seeds", usual);
    Seeds.run(first, seeds, newTrial);
    return seeds;
  }
}
