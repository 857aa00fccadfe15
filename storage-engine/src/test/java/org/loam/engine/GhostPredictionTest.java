package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.loam.engine.TunedEngines.MIB;
import static org.loam.engine.TunedEngines.SECOND;
import static org.loam.engine.TunedEngines.config;
import static org.loam.engine.TunedEngines.inEngine;
import static org.loam.engine.TunedEngines.key;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.common.config.TunerMode;
import org.loam.common.sim.Simulation;
import org.loam.engine.memory.MemoryArbiter;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.tuning.CycleSampler;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;

/**
 * The reads that the ghost cache says a larger buffer cache would save, beside those that it saves
 * when it has become so much larger. The cache is no plain list of the pages used last: a missed
 * page stands a trial, so that the ghost cache is an estimate.
 */
@Tag("once")
class GhostPredictionTest {
  private static final int KEYS = 24_000;
  private static final int READS = 50_000;

  /** Some records are more popular, the more the larger the exponent; they lie anywhere. */
  private static void read(Tree tree, Random random, double exponent) {
    for (int i = 0; i < READS; i++) {
      int rank = (int) (KEYS * Math.pow(random.nextDouble(), exponent));
      tree.get(key(Math.floorMod(rank * 7919, KEYS)));
    }
  }

  private static ReadSample cycle(
      CycleSampler sampler, Tree tree, Random random, double exponent, CycleSample[] last) {
    read(tree, random, exponent);
    sampler.endCycle(4 * MIB);
    read(tree, random, exponent);
    last[0] = sampler.endCycle(4 * MIB);
    return last[0].reads(ReadClass.QUERY);
  }

  @ParameterizedTest
  @CsvSource({"1", "3"})
  void whatGrowthSavesIsNearThePrediction(double exponent) {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          config().tunerMode(TunerMode.FROZEN).writeInitialBytes(40 << 20).build(),
          engine -> {
            Tree tree = engine.createTree("t");
            for (int i = 0; i < KEYS; i++) {
              tree.put(key(i), new byte[1500]);
            }
            tree.compact();
            OpenEngine open = engine.open();
            open.tuner().sources().watches().begin();
            CycleSampler sampler = new CycleSampler(open.tuner().sources());
            Random random = new Random(1);
            CycleSample[] last = new CycleSample[1];
            ReadSample small = cycle(sampler, tree, random, exponent, last);
            MemoryArbiter arbiter = open.memory().arbiter();
            long target = arbiter.ownBytes() - last[0].memory().ghostBytes();
            open.memoryMoves().setTarget(target, () -> true);
            while (arbiter.ownBytes() != target) {
              sim.env().waiter().pause(SECOND / 100);
            }
            ReadSample large = cycle(sampler, tree, random, exponent, last);
            assertThat(small.savedPages()).isGreaterThan(small.missedPages() / 4);
            // It is 0.1 % off where all records are as popular, and 8 % where few are.
            assertThat(small.missedPages() - large.missedPages())
                .isCloseTo(small.savedPages(), withPercentage(15));
          });
    }
  }
}
