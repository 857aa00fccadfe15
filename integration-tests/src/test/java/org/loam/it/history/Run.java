package org.loam.it.history;

import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.WriteScheme;
import org.loam.engine.Engine;
import org.loam.engine.report.VerifyReport;

/**
 * A database that is opened, used by clients beside each other, checked while they rest, and
 * closed, again and again, each time with another scheme of write memory. Its memory is so small
 * that memory components are fresh all the time.
 */
abstract class Run {
  private static final long SHORTEST_NANOS = 100_000_000;
  private static final long LONGEST_NANOS = 1_500_000_000;

  /** On a busy machine rounds take longer than they should. */
  private static final int FEWEST_ROUNDS = 4;

  private final Path directory;
  private final EngineConfig config;
  final SplittableRandom random;

  Run(Path directory, Durability durability, long seed) {
    this.directory = directory;
    this.random = new SplittableRandom(seed);
    this.config =
        EngineConfig.builder()
            .memoryTotalBytes(64 << 20)
            .pageBytes(4096)
            .durability(durability)
            .writeInitialBytes(256 << 10)
            .logSegmentBytes(256 << 10)
            .logMaxBytes(1 << 20)
            .sstableBytes(64 << 10)
            .ioForceBytes(64 << 10)
            .l0MinMerge(2)
            .l0ScanFreeRatio(1)
            .build();
  }

  /** Makes rounds for so long; returns what they were. */
  final String run(long nanos) throws InterruptedException {
    long endNanos = System.nanoTime() + nanos;
    long operations = 0;
    int rounds = 0;
    while (rounds < FEWEST_ROUNDS || System.nanoTime() < endNanos) {
      boolean abrupt = rounds % 2 == 1;
      try (Engine engine = Engine.open(directory, nextConfig())) {
        List<? extends Client> clients = open(engine);
        requireSound(engine);
        new Round(engine, abrupt, random.nextLong(SHORTEST_NANOS, LONGEST_NANOS)).run(clients);
        operations += clients.stream().mapToLong(Client::operations).sum();
        if (!abrupt) {
          verify();
          requireSound(engine);
        }
      } catch (Throwable t) {
        throw new AssertionError((abrupt ? "abrupt round " : "round ") + rounds, t);
      }
      rounds++;
    }
    return rounds + " rounds, " + operations + " operations";
  }

  private EngineConfig nextConfig() {
    WriteScheme[] schemes = WriteScheme.values();
    return config.toBuilder().writeScheme(schemes[random.nextInt(schemes.length)]).build();
  }

  /** Creates, or checks, what the clients need, and makes the clients of a round. */
  abstract List<? extends Client> open(Engine engine);

  /** Checks everything when writes have ended. */
  abstract void verify();

  private static void requireSound(Engine engine) {
    VerifyReport report = engine.verify();
    if (!report.isSound()) {
      throw new HistoryError(String.valueOf(report.findings()));
    }
  }
}
