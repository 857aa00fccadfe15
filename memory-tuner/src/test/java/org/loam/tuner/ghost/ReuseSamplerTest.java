package org.loam.tuner.ghost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.loam.tuner.cost.MissCurve;

class ReuseSamplerTest {
  private static final int PAGE_BYTES = 16;

  private static double lruMisses(int pages, int uses, LongSupplier page) {
    LruCache cache = new LruCache(pages);
    long misses = 0;
    for (int i = 0; i < uses; i++) {
      misses += cache.use(page.getAsLong()) ? 0 : 1;
      cache.evict();
    }
    return (double) misses / uses;
  }

  private static LongSupplier skewed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return () -> (long) (20_000 * Math.pow(random.nextDouble(), 4));
  }

  /** All ids are sampled: the curve is that of the cache, except between points. */
  @Test
  void withARateOfOneTheCurveIsExact() {
    ReuseSampler sampler = new ReuseSampler(256, 256);
    LongSupplier pages = skewed(1);
    int uses = 5000;
    for (int i = 0; i < uses; i++) {
      sampler.used(pages.getAsLong());
    }
    MissCurve curve = sampler.endCycle(uses, PAGE_BYTES).misses();
    assertThat(curve.ratio(0)).isEqualTo(1);
    for (int size : new int[] {1, 2, 17, 100, 256}) {
      assertThat(curve.ratio(size * PAGE_BYTES))
          .isCloseTo(lruMisses(size, uses, skewed(1)), within(1e-9));
    }
    assertThat(curve.ratio(1e9)).isEqualTo(curve.ratio(256 * PAGE_BYTES));
  }

  /** A hundred parts with a hundredth each, of which some are counted apart: as one list of all. */
  @Test
  void smallPartsAreCountedTogether() {
    ReuseSampler sampler = ReuseSampler.ofParts(1000, 1000);
    Map<Integer, Double> shares = new HashMap<>();
    for (int part = 0; part < 100; part++) {
      shares.put(part, 0.01);
    }
    sampler.share(shares);
    SplittableRandom random = new SplittableRandom(4);
    int uses = 50_000;
    for (int i = 0; i < uses; i++) {
      int id = random.nextInt(1000);
      sampler.usedOf(id % 100, id);
    }
    MissCurve curve = sampler.endCycle(uses, PAGE_BYTES).misses();
    for (int size : new int[] {300, 500, 800}) {
      assertThat(curve.ratio(size * PAGE_BYTES)).isCloseTo(1 - size / 1000.0, within(0.05));
    }
  }

  @Test
  void aSampleOfOneIdInEightIsNearTheCache() {
    ReuseSampler sampler = new ReuseSampler(1024, 8192);
    assertThat(sampler.rate()).isEqualTo(0.125);
    LongSupplier pages = skewed(2);
    int uses = 200_000;
    for (int i = 0; i < uses; i++) {
      sampler.used(pages.getAsLong());
    }
    MissCurve curve = sampler.endCycle(uses, PAGE_BYTES).misses();
    for (int size : new int[] {500, 1000, 2000, 4000, 8000}) {
      assertThat(curve.ratio(size * PAGE_BYTES))
          .as("size %d", size)
          .isCloseTo(lruMisses(size, uses, skewed(2)), within(0.02));
    }
  }

  /** A cliff that no slope shows: 1000 pages in a circle miss always, until all of them fit. */
  @Test
  void aCircleIsACliff() {
    ReuseSampler sampler = new ReuseSampler(1000, 2000);
    int uses = 50_000;
    for (int i = 0; i < uses; i++) {
      sampler.used(i % 1000);
    }
    MissCurve curve = sampler.endCycle(uses, 1).misses();
    assertThat(curve.ratio(800)).isGreaterThan(0.95);
    assertThat(curve.ratio(1200)).isLessThan(0.05);
  }

  @Test
  void olderCyclesCountLess() {
    ReuseSampler sampler = new ReuseSampler(10, 10);
    for (int i = 0; i < 100; i++) {
      sampler.used(7);
    }
    assertThat(sampler.endCycle(100, 1).misses().ratio(1)).isCloseTo(0.01, within(1e-9));
    for (int i = 0; i < 70; i++) {
      sampler.used(1000 + i);
    }
    // 0.3 * 99 hits of 0.3 * 100 + 70 uses.
    assertThat(sampler.endCycle(70, 1).misses().ratio(1)).isCloseTo(1 - 0.297, within(1e-9));
  }

  @Test
  void anIdleCycleForgetsNothing() {
    ReuseSampler sampler = new ReuseSampler(10, 10);
    assertThat(sampler.endCycle(0, 1).misses().isKnown()).isFalse();
    sampler.used(7);
    sampler.used(7);
    double ratio = sampler.endCycle(2, 1).misses().ratio(1);
    assertThat(ratio).isEqualTo(0.5);
    for (int i = 0; i < 100; i++) {
      assertThat(sampler.endCycle(0, 1).misses().ratio(1)).isEqualTo(ratio);
    }
  }

  /** As all readers of a root that is in the sample have it; it counts like every use. */
  @Test
  @Timeout(60)
  void oneMoreUseOfTheSameIdTakesNoLock() throws InterruptedException {
    ReuseSampler sampler = new ReuseSampler(10, 10);
    sampler.used(7);
    Thread reader = new Thread(() -> sampler.used(7));
    synchronized (sampler) {
      reader.start();
      reader.join();
    }
    assertThat(sampler.endCycle(2, 1).misses().ratio(1)).isEqualTo(0.5);
  }

  /** One page has half of the uses; whether it is in the sample must not decide the curve. */
  @Test
  void anIdThatIsUsedVeryOftenDoesNotDecideTheCurve() {
    for (long hot = 1_000_000; hot < 1_000_020; hot++) {
      ReuseSampler sampler = new ReuseSampler(100, 1000);
      SplittableRandom random = new SplittableRandom(3);
      for (int i = 0; i < 20_000; i++) {
        sampler.used(i % 2 == 0 ? hot : random.nextInt(2000));
      }
      MissCurve curve = sampler.endCycle(20_000, 1).misses();
      assertThat(curve.ratio(500)).as("hot %d", hot).isCloseTo(0.375, within(0.06));
    }
  }
}
