package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.sim.Exploration;
import org.loam.common.sim.Simulation;
import org.loam.engine.tuning.CycleSampler;
import org.loam.engine.tuning.TunerLevels;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.MergeShape;
import org.loam.tuner.cost.TreeSample;

/** What merges write after many overwrites, beside what the cost model of the tuner says. */
@Tag("once")
class MergeModelTest {
  private static final int KEYS = 16_000;
  private static final int VALUE_BYTES = 1000;
  private static final long MILLISECOND = 1_000_000;
  private static final long LOG_BYTES = 256 << 20;

  /**
   * The last level is about five, twenty and 45 times the memory: one and two levels. With one
   * level the tables of a merge have to begin where a range does, and do not always; of the eight
   * flushes that a merge takes together, some have the same keys. The tuner measures that. The last
   * case has levels for four times its memory.
   */
  @ParameterizedTest
  @CsvSource({"4096, 0, 1, 50", "1024, 0, 2, 35", "512, 0, 2, 25", "1024, 4096, 1, 50"})
  void mergesWriteWhatTheModelSays(long writeKib, long sizedForKib, int levels, double percent) {
    CycleSample sample = overwritten(writeKib << 10, sizedForKib << 10);
    TreeSample tree = sample.trees().get(0);
    double memory = tree.share() * sample.memory().writeBytes();
    MergeShape shape = MergeShape.of(TunerLevels::sizes, tree.levels(), memory, 0);
    long arrived = tree.flushed().bytes() - tree.levels().grown().l0Bytes();
    double measured = (double) tree.mergedBytes() / arrived;
    String shown =
        String.format(
            Locale.ROOT,
            "write memory %d KiB, %.0f of it used, last level %d, %d levels; merged for a byte"
                + " out of L0: %.2f, by the model %.2f",
            writeKib,
            memory / 1024,
            tree.levels().lastBytes() >> 10,
            tree.levels().count(),
            measured,
            shape.perFlushedByte());
    System.out.println("Merge model: " + shown);
    assertThat(tree.levels().count()).as(shown).isEqualTo(levels);
    assertThat(shape.sizes().count()).as(shown).isEqualTo(levels);
    assertThat(measured).as(shown).isCloseTo(shape.perFlushedByte(), withinPercentage(percent));
  }

  /** A cycle of overwrites after as many. */
  private static CycleSample overwritten(long writeBytes, long sizedForBytes) {
    CycleSample[] sample = new CycleSample[1];
    try (Simulation sim = Simulation.exploring(1, Exploration.TURNS)) {
      sim.run(
          () -> {
            EngineConfig config = config(writeBytes, sizedForBytes);
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
              Tree tree = engine.createTree("t");
              for (int i = 0; i < KEYS; i++) {
                tree.put(key(i), new byte[VALUE_BYTES]);
              }
              tree.compact();
              CycleSampler.Sources sources = engine.open().tuner().sources();
              sources.watches().begin();
              CycleSampler sampler = new CycleSampler(sources);
              SplittableRandom random = new SplittableRandom(1);
              overwrite(sim, tree, sampler, random);
              sampler.endCycle(LOG_BYTES);
              overwrite(sim, tree, sampler, random);
              sample[0] = sampler.endCycle(LOG_BYTES);
            }
          });
    }
    return sample[0];
  }

  /** Slowly, so that merges keep up. */
  private static void overwrite(
      Simulation sim, Tree tree, CycleSampler sampler, SplittableRandom random) {
    for (int i = 0; i < 3 * KEYS; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      tree.put(key(random.nextInt(KEYS)), value);
      if (i % 64 == 0) {
        sim.env().waiter().pause(50 * MILLISECOND);
        sampler.look();
      }
    }
  }

  private static byte[] key(int i) {
    return String.format(Locale.ROOT, "%08d", i).getBytes(UTF_8);
  }

  private static EngineConfig config(long writeBytes, long sizedForBytes) {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(4096)
        .durability(Durability.PROCESS)
        .writeInitialBytes(writeBytes)
        .sizedForBytes(sizedForBytes)
        .logSegmentBytes(1 << 20)
        .logMaxBytes(LOG_BYTES)
        .sstableBytes(1 << 20)
        .mergesWhenQuiet(false)
        .tunerMode(TunerMode.FROZEN)
        .build();
  }
}
