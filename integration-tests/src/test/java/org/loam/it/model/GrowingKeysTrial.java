package org.loam.it.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.it.Digits;

/**
 * A tree whose write memory has levels and whose keys grow: four writes of five append a key, the
 * others overwrite one of the last thousands. Nothing lies below new keys, so they go down through
 * the levels of memory, past older writes. Then a run with an old write lies above runs with
 * younger ones and with older versions of some of its keys. The log asks for the run with the old
 * write alone, and what it overlaps must leave with it: reads compare. One object runs one seed
 * after the other.
 */
public final class GrowingKeysTrial implements LongConsumer {
  private static final int WRITES = 20_000;
  private static final int READS_FOR_A_WRITE = 4;
  private static final int LAST_KEYS = 5_000;

  /** So many writes apart, merges in memory have time. */
  private static final int BETWEEN_PAUSES = 16;

  private static final long PAUSE_NANOS = 1_000_000;

  @Override
  public void accept(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              play(sim, engine.createTree("t"));
            }
          });
    }
  }

  private static void play(Simulation sim, Tree tree) {
    SplittableRandom random = new SplittableRandom(sim.seed());
    byte[][] values = new byte[WRITES][];
    int keys = 0;
    for (int i = 0; i < WRITES; i++) {
      int key = keys == 0 || random.nextInt(5) > 0 ? keys++ : oneOfTheLast(keys, random);
      values[key] = new byte[75 + random.nextInt(150)];
      random.nextBytes(values[key]);
      tree.put(key(key), values[key]);
      for (int j = 0; j < READS_FOR_A_WRITE; j++) {
        int read = oneOfTheLast(keys, random);
        Ledger.compare("key " + read, tree.get(key(read)), values[read]);
      }
      if (i % BETWEEN_PAUSES == 0) {
        sim.env().waiter().pause(PAUSE_NANOS);
      }
    }
  }

  private static int oneOfTheLast(int keys, SplittableRandom random) {
    return keys - 1 - random.nextInt(Math.min(keys, LAST_KEYS));
  }

  private static byte[] key(int number) {
    return Digits.of(number, 8).getBytes(UTF_8);
  }

  /** With more write memory than the log may be long, and a part of a tree flushed for its sake. */
  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeScheme(WriteScheme.LEVELS)
        .levelsActiveBytes(16 << 10)
        .partialFlushRatio(0)
        .writeInitialBytes(4 << 20)
        .logSegmentBytes(64 << 10)
        .logMaxBytes(1 << 20)
        .sstableBytes(64 << 10)
        .tunerMode(TunerMode.FROZEN)
        .build();
  }
}
