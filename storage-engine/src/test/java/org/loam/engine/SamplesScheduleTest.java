package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.cache.AccessClass;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.tuning.CycleSampler;
import org.loam.tuner.cost.CycleSample;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.TreeSample;

/** Schedules of samples that are taken while a writer, a flush and a reader count. */
@Tag("once")
@Explored
@ExtendWith(QuietLog.class)
class SamplesScheduleTest {
  private static final int SCHEDULES = 150;
  private static final int KEYS = 24;
  private static final int WRITES = 6;
  private static final int CYCLES = 3;
  private static final long LOG_BYTES = 128 << 10;

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .writeInitialBytes(512 << 10)
          .logSegmentBytes(64 << 10)
          .logMaxBytes(LOG_BYTES)
          .mergeThreads(1)
          .tunerMode(TunerMode.FROZEN)
          .build();

  /** An engine with a table of which nothing is in the cache, and the sampler of its cycles. */
  private static final class World {
    private final Engine engine;
    private final Tree tree;
    private final CycleSampler sampler;
    private final EngineStatistics before;
    private final long requestsBefore;
    private CycleSample sum;
    private Tree other;

    World(Simulation sim) {
      engine = Engine.open(sim.env(), sim.directory(), CONFIG);
      tree = engine.createTree("t");
      for (int i = 0; i < KEYS; i++) {
        tree.put(key(i), new byte[1000]);
      }
      tree.flush();
      engine.open().tuner().sources().watches().begin();
      sampler = new CycleSampler(engine.open().tuner().sources());
      before = engine.statistics();
      requestsBefore = requests();
      sum = sampler.endCycle(LOG_BYTES);
    }

    private static byte[] key(int i) {
      return new byte[] {(byte) i};
    }

    void write() {
      for (int i = 0; i < WRITES; i++) {
        tree.put(key(i), new byte[10]);
      }
      tree.flush();
    }

    /** A tree that the sampler knows. */
    void createOther() {
      other = engine.createTree("other");
      sample();
    }

    void writeAndDropOther() {
      for (int i = 0; i < WRITES; i++) {
        other.put(key(i), new byte[10]);
      }
      other.flush();
      engine.dropTree("other");
    }

    void read() {
      for (int i = KEYS - 1; i >= 0; i -= 4) {
        tree.get(key(i));
      }
    }

    void sample() {
      for (int i = 0; i < CYCLES; i++) {
        sum = sum.plus(sampler.endCycle(LOG_BYTES));
      }
    }

    private long requests() {
      return engine.open().tuner().sources().cache().requests(AccessClass.QUERY);
    }

    void check() {
      EngineStatistics after = engine.statistics();
      assertThat(sum.trees()).hasSize(1);
      assertThat(sum.trees().get(0).written().entries()).isEqualTo(WRITES);
      assertThat(sum.trees().get(0).flushed().bytes())
          .isEqualTo(after.work().flushedBytes() - before.work().flushedBytes())
          .isPositive();
      assertThat(sum.log().grownBytes()).isEqualTo(after.log().endLsn() - before.log().endLsn());
      long missed = misses(after) - misses(before);
      assertThat(sum.reads(ReadClass.QUERY).missedPages()).isEqualTo(missed).isPositive();
      // Those whose pages were in the sample before wait for one with more pages than requests.
      assertThat(sum.reads(ReadClass.QUERY).requests())
          .isLessThanOrEqualTo(requests() - requestsBefore);
    }

    /** It was the only one that was written to. */
    void checkOther() {
      TreeSample sampled =
          sum.trees().stream()
              .filter(one -> one.treeId() == other.lsm().treeId())
              .findFirst()
              .orElseThrow();
      assertThat(sampled.written().entries()).isEqualTo(WRITES);
      assertThat(sampled.flushed().bytes())
          .isEqualTo(engine.statistics().work().flushedBytes() - before.work().flushedBytes())
          .isPositive();
    }

    private static long misses(EngineStatistics statistics) {
      return statistics.cache().misses().getOrDefault(AccessClass.QUERY, 0L);
    }
  }

  @Test
  void eachCountIsInOneSample() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::write, world::read, world::sample);
          sim.run(
              () -> {
                world.sample();
                world.check();
                world.engine.close();
              });
        });
  }

  @Test
  void eachCountOfATreeThatIsDroppedIsInOneSample() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          World world = Schedules.prepare(sim, () -> new World(sim));
          sim.run(world::createOther);
          sim.run(world::writeAndDropOther, world::sample);
          sim.run(
              () -> {
                world.sample();
                world.checkOther();
                world.engine.close();
              });
        });
  }
}
