package org.loam.it.history;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.Durability;

/**
 * Answers checked against histories. {@code -Dloam.history.seconds=N} is the time of all cases
 * together; {@code -Dloam.history.seed=N} makes clients choose what they chose when it was printed,
 * though threads will not meet as they did.
 */
@Tag("once")
@Timeout(value = 2, unit = TimeUnit.HOURS)
class HistoryTest {
  private static final int CASES = 4;
  private static final long NANOS = Long.getLong("loam.history.seconds", 16) * 1_000_000_000;

  @TempDir Path directory;

  @Test
  void treesOfASyncDatabase() throws Exception {
    run("trees, SYNC", seed -> new TreeRun(directory, Durability.SYNC, seed));
  }

  @Test
  void treesOfAProcessDatabase() throws Exception {
    run("trees, PROCESS", seed -> new TreeRun(directory, Durability.PROCESS, seed));
  }

  @Test
  void datasetsOfASyncDatabase() throws Exception {
    run("datasets, SYNC", seed -> new DatasetRun(directory, Durability.SYNC, seed));
  }

  @Test
  void datasetsOfAProcessDatabase() throws Exception {
    run("datasets, PROCESS", seed -> new DatasetRun(directory, Durability.PROCESS, seed));
  }

  private interface RunMaker {
    Run make(long seed);
  }

  private static void run(String what, RunMaker maker) throws InterruptedException {
    long seed = Long.getLong("loam.history.seed", System.nanoTime());
    String name = "histories of " + what + ", -Dloam.history.seed=" + seed;
    long startNanos = System.nanoTime();
    try {
      System.out.println(name + ": " + maker.make(seed).run(NANOS / CASES));
    } catch (Throwable t) {
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      throw new AssertionError(name + ": failed after " + seconds + " s", t);
    }
  }
}
