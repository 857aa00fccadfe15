package org.loam.tuner.ghost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.loam.common.codec.Hash64;
import org.loam.tuner.cost.MissCurve;
import org.loam.tuner.cost.Rereads;
import org.loam.tuner.cost.Rewrites;

class RewriteSamplerTest {
  private static final long MIB = 1 << 20;

  private static LongSupplier skewed() {
    SplittableRandom random = new SplittableRandom(1);
    return () -> (long) (100_000 * Math.pow(random.nextDouble(), 4));
  }

  private static MissCurve curve(RewriteSampler sampler, int writes, int keyBytes) {
    LongSupplier keys = skewed();
    for (int i = 0; i < writes; i++) {
      sampler.written(1, Hash64.of(keys.getAsLong()));
    }
    return sampler.endCycle(writes, 1000L * keyBytes, 1000, Map.of()).flushed();
  }

  /** What a write memory of a size that gives up its oldest keys one by one would flush. */
  private static double flushed(int keys, int writes) {
    LruCache memory = new LruCache(keys);
    LongSupplier next = skewed();
    long flushed = 0;
    for (int i = 0; i < writes; i++) {
      flushed += memory.use(next.getAsLong()) ? 0 : 1;
      memory.evict();
    }
    return (double) flushed / writes;
  }

  @Test
  void theCurveIsThatOfAWriteMemoryOfEachSize() {
    int writes = 400_000;
    MissCurve curve = curve(new RewriteSampler(64 * MIB), writes, 1024);
    for (int mib : new int[] {2, 4, 8, 16, 32, 60}) {
      assertThat(curve.ratio(mib * MIB))
          .as("%d MiB", mib)
          .isCloseTo(flushed(mib << 10, writes), within(0.03));
    }
  }

  /** The same keys with eight times as much beside them fill eight times as much memory. */
  @Test
  void sizesFollowFromWhatAKeyTakes() {
    MissCurve small = curve(new RewriteSampler(64 * MIB), 50_000, 1024);
    MissCurve large = curve(new RewriteSampler(64 * MIB), 50_000, 8192);
    for (int mib : new int[] {1, 3, 7}) {
      assertThat(large.ratio(8 * mib * MIB)).isCloseTo(small.ratio(mib * MIB), within(1e-9));
    }
  }

  /** Of keys that take 64 bytes sixteen times as many fit as were thought to. */
  @Test
  void theSampleBeginsAgainWhenAKeyTakesMuchLess() {
    RewriteSampler sampler = new RewriteSampler(4 * MIB);
    assertThat(curve(sampler, 200_000, 64).ratio(4 * MIB))
        .as("ends at 4,096 keys")
        .isCloseTo(flushed(4096, 200_000), within(0.03));
    assertThat(curve(sampler, 200_000, 64).ratio(4 * MIB))
        .isCloseTo(flushed(65_536, 200_000), within(0.03));
  }

  @Test
  void fewKeysDoNotSayWhatAKeyTakes() {
    RewriteSampler sampler = new RewriteSampler(4 * MIB);
    RewriteSampler other = new RewriteSampler(4 * MIB);
    for (int i = 0; i < 5000; i++) {
      sampler.written(1, Hash64.of(i % 1000));
      other.written(1, Hash64.of(i % 1000));
    }
    MissCurve expected = other.endCycle(5000, 1024 * 1000, 1000, Map.of()).flushed();
    MissCurve curve = sampler.endCycle(5000, MIB, 63, Map.of()).flushed();
    assertThat(curve.ratio(600 << 10)).isEqualTo(expected.ratio(600 << 10)).isGreaterThan(0.9);
    assertThat(curve.ratio(1100 << 10)).isEqualTo(expected.ratio(1100 << 10)).isLessThan(0.3);
  }

  /** Readers of the same keys miss those that write memory for 1,024 of them does not have. */
  @Test
  void whatReadersMissIsThatOfAWriteMemoryOfEachSize() {
    RewriteSampler sampler = new RewriteSampler(64 * MIB);
    LruCache memory = new LruCache(1024);
    LruCache larger = new LruCache(8 << 10);
    LongSupplier keys = skewed();
    int writes = 400_000;
    int missed = 0;
    int missedByLarger = 0;
    for (int i = 0; i < writes; i++) {
      long key = keys.getAsLong();
      sampler.written(1, Hash64.of(key));
      memory.use(key);
      memory.evict();
      larger.use(key);
      larger.evict();
      long read = keys.getAsLong();
      if (!memory.contains(read)) {
        missed++;
        missedByLarger += larger.contains(read) ? 0 : 1;
        if (sampler.samples(Hash64.of(read))) {
          sampler.missed(Hash64.of(read));
        }
      }
    }
    Rewrites rewrites = sampler.endCycle(writes, 1 << 20, 1024, Map.of());
    Rereads rereads = rewrites.missed();
    assertThat(rereads.left().ratio(MIB)).isCloseTo(1, within(0.02));
    double saved = rereads.perWrite() * (1 - rereads.left().ratio(8 * MIB)) * writes;
    assertThat(saved).isCloseTo((double) missed - missedByLarger, withinPercentage(10));
  }

  /** One of two trees has a quarter of the writes, few of them to the same key, and an eighth. */
  @Test
  void theCurveIsThatOfTreesThatHaveTheirShares() {
    RewriteSampler sampler = new RewriteSampler(16 * MIB);
    Map<Integer, Double> shares = Map.of(1, 7.0 / 8, 2, 1.0 / 8);
    sampler.endCycle(0, MIB, 1024, shares);
    int sizeMib = 8;
    LruCache first = new LruCache(7 * sizeMib << 7);
    LruCache second = new LruCache(sizeMib << 7);
    LruCache together = new LruCache(sizeMib << 10);
    SplittableRandom random = new SplittableRandom(3);
    int writes = 400_000;
    int flushed = 0;
    int flushedTogether = 0;
    for (int i = 0; i < writes; i++) {
      int tree = random.nextInt(4) == 0 ? 2 : 1;
      int keys = tree == 1 ? 10_000 : 100_000;
      long key = (long) (keys * Math.pow(random.nextDouble(), 2)) * 2 + tree - 1;
      LruCache memory = tree == 1 ? first : second;
      flushed += memory.use(key) ? 0 : 1;
      memory.evict();
      flushedTogether += together.use(key) ? 0 : 1;
      together.evict();
      sampler.written(tree, Hash64.of(key));
    }
    double ratio = sampler.endCycle(writes, MIB, 1024, shares).flushed().ratio(sizeMib * MIB);
    assertThat(ratio).isCloseTo((double) flushed / writes, within(0.02));
    assertThat(Math.abs(ratio - (double) flushedTogether / writes)).isGreaterThan(0.04);
  }

  /**
   * A key that 2 MiB would have, and whose page a cache misses beside 1, 3 or 9 of 4 MiB: it counts
   * where both hold.
   */
  @Test
  void whatASmallerCacheWouldMissCountsWhereItWouldBeMissed() {
    RewriteSampler sampler = new RewriteSampler(4 * MIB);
    for (int i = 0; i < 4096; i++) {
      sampler.written(1, Hash64.of(i));
    }
    long key = Hash64.of(2048);
    sampler.wouldMiss(key, MIB, 8);
    sampler.wouldMiss(key, 3 * MIB, 4);
    sampler.wouldMiss(key, 9 * MIB, 1);
    sampler.missed(key);
    Rewrites rewrites = sampler.endCycle(4096, MIB, 1024, Map.of());
    assertThat(rewrites.missed().perWrite()).isCloseTo(1.0 / 4096, within(1e-9));
    Rereads spared = rewrites.spared();
    assertThat(spared.perWrite()).isCloseTo(13.0 / 4096, within(1e-9));
    assertThat(spared.left().ratio(1.9 * MIB)).isEqualTo(1);
    assertThat(spared.left().ratio(2.1 * MIB)).isCloseTo(4.0 / 13, within(1e-9));
    assertThat(spared.left().ratio(2.9 * MIB)).isCloseTo(4.0 / 13, within(1e-9));
    assertThat(spared.left().ratio(3.1 * MIB)).isZero();
  }

  @Test
  void aReadOfAKeyThatWasNotWrittenOfLateDoesNotCount() {
    RewriteSampler sampler = new RewriteSampler(4 * MIB);
    for (int i = 0; i < 1000; i++) {
      sampler.written(1, Hash64.of(i));
    }
    for (int i = 1000; i < 2000; i++) {
      sampler.missed(Hash64.of(i));
    }
    Rewrites rewrites = sampler.endCycle(1000, MIB, 1024, Map.of());
    assertThat(rewrites.missed()).isEqualTo(Rereads.UNKNOWN);
    assertThat(rewrites.spared()).isEqualTo(Rereads.UNKNOWN);
  }
}
