package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.sim.Exploration;
import org.loam.common.sim.Simulation;
import org.loam.engine.EngineStatistics.TreeStatistics;

/**
 * A compaction of a tree that is many times as large as its write memory, on a slow disk, while a
 * client writes as fast as merges can follow: L0 stays below the depth that stops writers.
 */
@Tag("once")
class CompactionBesideWritesTest {
  private static final int KEYS = 60_000;
  private static final int VALUE_BYTES = 1000;
  private static final long MILLISECOND = 1_000_000;

  /** Merges write about ten times what the client writes. */
  private static final long DISK_BYTES_PER_SECOND = 8 << 20;

  private static final int WRITES_PER_SECOND = 400;

  /** Write memory holds sixty times as many. */
  private static final int WRITES_PER_LOOK = 8;

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .writeInitialBytes(512 << 10)
          .logSegmentBytes(1 << 20)
          .logMaxBytes(256 << 20)
          .sstableBytes(1 << 20)
          .tunerMode(TunerMode.FROZEN)
          .build();

  private static byte[] key(int i) {
    return String.format(Locale.ROOT, "%08d", i).getBytes(UTF_8);
  }

  private static void put(Tree tree, int i, SplittableRandom random) {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    tree.put(key(i), value);
  }

  private static TreeStatistics statistics(Engine engine) {
    return engine.statistics().trees().get(0);
  }

  @Test
  void writersGoOnDuringACompaction() {
    try (Simulation sim = Simulation.exploring(1, Exploration.TURNS)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              Tree tree = engine.createTree("t");
              SplittableRandom random = new SplittableRandom(1);
              for (int i = 0; i < 2 * KEYS; i++) {
                put(tree, i < KEYS ? i : random.nextInt(KEYS), random);
                if (i % 64 == 0) {
                  sim.env().waiter().pause(20 * MILLISECOND);
                }
              }
              engine.configure("io.limitBytesPerSecond", Long.toString(DISK_BYTES_PER_SECOND));
              compactBesideWrites(sim, engine, tree, random);
            }
          });
    }
  }

  private static void compactBesideWrites(
      Simulation sim, Engine engine, Tree tree, SplittableRandom random) {
    AtomicBoolean isDone = new AtomicBoolean();
    long began = sim.env().clock().nanoTime();
    var compaction =
        sim.env()
            .tasks()
            .start(
                "compaction",
                () -> {
                  tree.compact();
                  isDone.set(true);
                });
    int deepest = 0;
    long longest = 0;
    long written = 0;
    while (!isDone.get()) {
      long before = sim.env().clock().nanoTime();
      put(tree, random.nextInt(KEYS), random);
      written++;
      longest = Math.max(longest, sim.env().clock().nanoTime() - before);
      if (written % WRITES_PER_LOOK == 0) {
        deepest = Math.max(deepest, statistics(engine).l0().depth());
      }
      sim.env().waiter().pause(1000 * MILLISECOND / WRITES_PER_SECOND);
    }
    compaction.join();
    long nanos = sim.env().clock().nanoTime() - began;
    String shown =
        String.format(
            Locale.ROOT,
            "compaction took %d ms; %d writes, the longest %d ms; L0 at most %d deep; stalls %s",
            nanos / MILLISECOND,
            written,
            longest / MILLISECOND,
            deepest,
            engine.statistics().stalls().totals());
    System.out.println(shown);
    assertThat(deepest).as(shown).isLessThan(CONFIG.disk().l0().stop());
    assertThat(longest).as(shown).isLessThan(nanos / 10);
  }
}
