package org.loam.engine.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which operations are measured, and what is counted of them. */
class LatenciesTest {
  private long now;
  private int looks;
  private final Latencies latencies =
      new Latencies(
          () -> {
            looks++;
            return now;
          });

  private void read(long nanos) {
    long begun = latencies.begin();
    now += nanos;
    latencies.read(begun);
  }

  private List<Map.Entry<Long, Long>> reads() {
    List<Map.Entry<Long, Long>> seen = new ArrayList<>();
    latencies.forEachRead((below, count) -> seen.add(Map.entry(below, count)));
    return seen;
  }

  @Test
  void nothingIsMeasuredBeforeTheStart() {
    for (int i = 0; i < 10 * Latencies.ONE_IN; i++) {
      read(100);
    }
    assertThat(looks).isZero();
    assertThat(reads()).isEmpty();
  }

  @Test
  void oneOperationInSixtyOneIsMeasured() {
    latencies.start();
    for (int i = 1; i <= 10 * Latencies.ONE_IN; i++) {
      read(i % Latencies.ONE_IN == 0 ? 1000 : 7);
    }
    assertThat(looks).isEqualTo(20);
    // 1000 is from 896 to 1023.
    assertThat(reads()).containsExactly(Map.entry(1024L, 10L));
  }

  @Test
  void readsAndWritesInTurnAreMeasuredAlike() {
    latencies.start();
    for (int i = 0; i < 20 * Latencies.ONE_IN; i++) {
      read(100);
      latencies.wrote(latencies.begin());
    }
    assertThat(reads()).extracting(Map.Entry::getValue).containsExactly(20L);
    List<Long> writes = new ArrayList<>();
    latencies.forEachWrite((below, count) -> writes.add(count));
    assertThat(writes).containsExactly(20L);
  }

  @Test
  void readsAndWritesAreApart() {
    latencies.start();
    for (int i = 0; i < Latencies.ONE_IN; i++) {
      latencies.wrote(latencies.begin());
    }
    assertThat(reads()).isEmpty();
    List<Long> writes = new ArrayList<>();
    latencies.forEachWrite((below, count) -> writes.add(count));
    assertThat(writes).containsExactly(1L);
  }

  @Test
  void aBucketIsAtMostAQuarterWideAndBucketsMeet() {
    long begins = 0;
    for (int bucket = Latencies.bucket(0); bucket < Latencies.bucket(1L << 60); bucket++) {
      long ends = Latencies.endNanos(bucket);
      assertThat(Latencies.bucket(begins)).isEqualTo(bucket);
      assertThat(Latencies.bucket(ends - 1)).isEqualTo(bucket);
      assertThat(ends - begins).isLessThanOrEqualTo(Math.max(5, begins / 4));
      begins = ends;
    }
    assertThat(Latencies.bucket(-5)).isEqualTo(Latencies.bucket(0));
  }
}
