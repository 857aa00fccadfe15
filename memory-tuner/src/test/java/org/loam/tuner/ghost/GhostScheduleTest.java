package org.loam.tuner.ghost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.ReadClass;

/** Schedules of readers that miss and evict beside each other, and of a cycle that ends. */
@Explored
class GhostScheduleTest {
  /** Two readers miss a page that left once: a larger cache would have saved one read. */
  @Test
  void aPageThatLeftOnceSavesOneRead() {
    Schedules.explore(
        500,
        sim -> {
          GhostCache ghost = new GhostCache(2);
          AtomicInteger found = new AtomicInteger();
          Runnable miss = () -> found.addAndGet(ghost.missed(1, ReadClass.QUERY, true) ? 1 : 0);
          ghost.left(1);
          sim.run(miss, miss, () -> ghost.left(2));
          assertThat(found).hasValue(1);
          assertThat(ghost.saved()).containsEntry(ReadClass.QUERY, 1L);
          assertThat(ghost.pages()).isEqualTo(1);
        });
  }

  /** Ids come from three threads into a ghost cache for two, whose slots are used up meanwhile. */
  @Test
  void idsThatComeBesideEachOtherAreAllThereOrMadeRoom() {
    Schedules.explore(
        500,
        sim -> {
          GhostCache ghost = new GhostCache(2);
          sim.run(
              () -> {
                ghost.left(1);
                ghost.left(2);
                ghost.left(3);
              },
              () -> {
                ghost.left(11);
                ghost.left(12);
              },
              () -> ghost.deleted(1, 10));
          int pages = ghost.pages();
          assertThat(pages).isBetween(0, 2);
          int found = 0;
          for (long id = 1; id < 20; id++) {
            found += ghost.missed(id, ReadClass.QUERY, true) ? 1 : 0;
          }
          assertThat(found).isEqualTo(pages);
          assertThat(ghost.pages()).isZero();
        });
  }

  /** What one look at the counts does not have, the next one has. */
  @Test
  void noSavedReadIsLostBetweenTwoLooks() {
    Schedules.explore(
        500,
        sim -> {
          GhostCache ghost = new GhostCache(4);
          for (long id = 0; id < 4; id++) {
            ghost.left(id);
          }
          AtomicInteger found = new AtomicInteger();
          sim.run(
              () -> {
                found.addAndGet(ghost.missed(0, ReadClass.QUERY, true) ? 1 : 0);
                found.addAndGet(ghost.missed(1, ReadClass.META, true) ? 1 : 0);
              },
              () -> found.addAndGet(ghost.missed(2, ReadClass.QUERY, true) ? 1 : 0),
              () -> {
                long before = sum(ghost);
                assertThat(sum(ghost)).isGreaterThanOrEqualTo(before);
              });
          assertThat(sum(ghost)).isEqualTo(found.get()).isEqualTo(3);
        });
  }

  private static long sum(GhostCache ghost) {
    return ghost.saved().values().stream().mapToLong(Long::longValue).sum();
  }

  /** A use is in one cycle: nothing is lost when the cycle ends beside it. */
  @Test
  void aUseIsInOneCycle() {
    Schedules.explore(
        500,
        sim -> {
          ReuseSampler sampler = new ReuseSampler(4, 4);
          MissCurve[] curves = new MissCurve[1];
          sim.run(
              () -> {
                sampler.used(1);
                sampler.used(1);
              },
              () -> {
                sampler.used(2);
                sampler.used(2);
              },
              () -> curves[0] = sampler.endCycle(0, 1).misses());
          // Both ids were used twice; beside each other or not, memory for two ids misses twice.
          MissCurve curve = sampler.endCycle(4, 1).misses();
          assertThat(curve.ratio(2)).isEqualTo(0.5);
          assertThat(curve.ratio(1)).isBetween(0.5, 1.0);
        });
  }

  /** A missed key is in one cycle, with the uses that it counts beside. */
  @Test
  void aMissIsInOneCycle() {
    Schedules.explore(
        500,
        sim -> {
          ReuseSampler sampler = new ReuseSampler(4, 4);
          sampler.used(1);
          sampler.used(2);
          sim.run(
              () -> sampler.missed(1),
              () -> sampler.missed(2),
              () -> sampler.wouldMiss(1, 0, 1),
              () -> sampler.wouldMiss(1, 0, 1),
              () -> sampler.endCycle(0, 1));
          // Without uses, the end of a cycle makes nothing count less.
          ReuseSampler.Reuses reuses = sampler.endCycle(2, 1);
          assertThat(reuses.missed().perWrite()).isEqualTo(1);
          assertThat(reuses.spared().perWrite()).isEqualTo(2);
        });
  }

  /** A use beside a change of the shares meets the old ones with their groups, or the new ones. */
  @Test
  void sharesChangeTogetherWithTheirGroups() {
    Schedules.explore(
        500,
        sim -> {
          ReuseSampler sampler = ReuseSampler.ofParts(4, 4);
          sampler.share(Map.of(1, 0.5, 2, 0.5));
          sampler.usedOf(3, 30);
          sim.run(
              () -> {
                sampler.usedOf(1, 10);
                sampler.usedOf(3, 30);
              },
              () -> sampler.share(Map.of()));
          // Two ids are used the first time, and one of them again.
          assertThat(sampler.endCycle(3, 1).misses().ratio(4)).isCloseTo(2.0 / 3, within(1e-9));
        });
  }

  /** A sample that begins again counts by shares from its first key on. */
  @Test
  void aSampleThatBeginsAgainHasItsShares() {
    Schedules.explore(
        2000,
        sim -> {
          Map<Integer, Double> shares = Map.of(1, 0.9, 2, 0.1);
          RewriteSampler sampler = new RewriteSampler(16 << 10);
          sim.run(
              // Keys take four times as much as was thought.
              () -> sampler.endCycle(0, 64 << 12, 64, shares),
              () -> {
                sampler.written(1, 10);
                sampler.written(2, 20);
                sampler.written(2, 21);
                sampler.written(1, 10);
              });
          // The second write of 10 is the next one of its tree, or its first is in the old sample.
          MissCurve curve = sampler.endCycle(4, 0, 0, shares).flushed();
          assertThat(curve.ratio(1 << 12)).isEqualTo(curve.ratio(4 << 12));
        });
  }
}
