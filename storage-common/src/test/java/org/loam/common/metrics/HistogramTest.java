package org.loam.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HistogramTest {
  @Test
  void bucketsFollowEachOtherWithoutGapAndNoneIsWiderThanAThirtySecond() {
    long lowest = 0;
    for (int bucket = 0; bucket < Histogram.BUCKETS; bucket++) {
      long highest = Histogram.highestIn(bucket);
      assertThat(Histogram.bucketOf(lowest)).isEqualTo(bucket);
      assertThat(Histogram.bucketOf(highest)).isEqualTo(bucket);
      assertThat(highest - lowest).isLessThanOrEqualTo(lowest / 32);
      lowest = highest + 1;
    }
    assertThat(lowest).isEqualTo(1L << Histogram.TOP_BITS);
    assertThat(Histogram.bucketOf(lowest)).isEqualTo(Histogram.BUCKETS - 1);
    assertThat(Histogram.bucketOf(Long.MAX_VALUE)).isEqualTo(Histogram.BUCKETS - 1);
  }

  @Test
  void percentilesAreThoseOfTheSortedValuesUpToAThirtySecond() {
    for (long seed = 1; seed <= 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Histogram histogram = new Histogram();
      long[] values = new long[1 + random.nextInt(5000)];
      for (int i = 0; i < values.length; i++) {
        values[i] = random.nextLong(1L << (1 + random.nextInt(40)));
        histogram.record(values[i]);
      }
      Arrays.sort(values);
      HistogramSnapshot snapshot = histogram.snapshot();
      assertThat(snapshot.count()).isEqualTo(values.length);
      assertThat(snapshot.sum()).isEqualTo(Arrays.stream(values).sum());
      assertThat(snapshot.max()).isEqualTo(values[values.length - 1]);
      for (double percent : new double[] {0.1, 1, 50, 90, 99, 99.9, 100}) {
        int rank = Math.max(1, (int) Math.ceil(values.length * (percent / 100)));
        long exact = values[rank - 1];
        assertThat(snapshot.percentile(percent))
            .as("seed %d, percentile %s", seed, percent)
            .isBetween(exact, exact + exact / 32);
      }
    }
  }

  @Test
  void extremesStayExactOrClamped() {
    Histogram histogram = new Histogram();
    histogram.record(-5);
    assertThat(histogram.snapshot().percentile(100)).isZero();
    histogram.record(1L << 50);
    HistogramSnapshot snapshot = histogram.snapshot();
    assertThat(snapshot.max()).isEqualTo(1L << 50);
    assertThat(snapshot.percentile(100)).isEqualTo(1L << 50);
    assertThat(snapshot.percentile(50)).isZero();
    assertThat(snapshot.sum()).isEqualTo(1L << 50);
  }

  @Test
  void anEmptyOneReadsAsZero() {
    HistogramSnapshot empty = new Histogram().snapshot();
    assertThat(empty.count()).isZero();
    assertThat(empty.mean()).isZero();
    assertThat(empty.percentile(99)).isZero();
    assertThat(empty).hasToString("count=0 mean=0.0 p50=0 p99=0 p99.9=0 max=0");
  }

  @Test
  void mergingIsAsIfAllHadBeenRecordedInOne() {
    Histogram a = new Histogram();
    Histogram b = new Histogram();
    Histogram both = new Histogram();
    for (int i = 0; i < 1000; i++) {
      (i % 3 == 0 ? a : b).record(i * 37L);
      both.record(i * 37L);
    }
    HistogramSnapshot before = a.snapshot();
    assertThat(a.snapshot().merge(b.snapshot()))
        .isEqualTo(both.snapshot())
        .hasSameHashCodeAs(both.snapshot());
    assertThat(a.snapshot()).isEqualTo(before).isNotEqualTo(both.snapshot());
  }

  @Test
  void noRecordOfAnyThreadIsLost() throws InterruptedException {
    Histogram histogram = new Histogram();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      long top = 1000L + t;
      Thread thread =
          new Thread(
              () -> {
                for (long v = 1; v <= top; v++) {
                  histogram.record(v);
                }
              });
      thread.start();
      threads.add(thread);
    }
    long sum = 0;
    long count = 0;
    for (int t = 0; t < 6; t++) {
      threads.get(t).join();
      count += 1000L + t;
      sum += (1000L + t) * (1001 + t) / 2;
    }
    HistogramSnapshot snapshot = histogram.snapshot();
    assertThat(snapshot.count()).isEqualTo(count);
    assertThat(snapshot.sum()).isEqualTo(sum);
    assertThat(snapshot.max()).isEqualTo(1005);
  }

  @Test
  void percentsOutOfRangeAreRefused() {
    HistogramSnapshot snapshot = new Histogram().snapshot();
    for (double percent : new double[] {0, -1, 100.1, Double.NaN}) {
      assertThatThrownBy(() -> snapshot.percentile(percent))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(String.valueOf(percent));
    }
  }
}
