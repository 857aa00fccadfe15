package org.loam.workbench.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.loam.workbench.bench.latency.Latencies.Kind;

class LatenciesTest {
  @Test
  void percentilesAreExactToAThousandthFromNanosecondsToMinutes() {
    Histogram nanos = new Latencies(1).total(Kind.WRITE);
    for (int i = 1; i <= 100_000; i++) {
      // From 1 µs to 100 s: as the 6th power of i, so that each percentile has another magnitude.
      nanos.recordValue((long) (1_000 + 1e11 * Math.pow(i / 100_000.0, 6)));
    }
    Percentiles percentiles = Objects.requireNonNull(Percentiles.of(nanos));
    Percentage thousandth = Percentage.withPercentage(0.11);
    assertThat(percentiles.count()).isEqualTo(100_000);
    assertThat(percentiles.p50Micros()).isCloseTo(1 + 1e8 * Math.pow(0.5, 6), thousandth);
    assertThat(percentiles.p90Micros()).isCloseTo(1 + 1e8 * Math.pow(0.9, 6), thousandth);
    assertThat(percentiles.p99Micros()).isCloseTo(1 + 1e8 * Math.pow(0.99, 6), thousandth);
    assertThat(percentiles.p999Micros()).isCloseTo(1 + 1e8 * Math.pow(0.999, 6), thousandth);
    assertThat(percentiles.p9999Micros()).isCloseTo(1 + 1e8 * Math.pow(0.9999, 6), thousandth);
    assertThat(percentiles.maxMicros()).isCloseTo(1 + 1e8, thousandth);
  }

  @Test
  void thereAreNoPercentilesOfNothing() {
    assertThat(Percentiles.of(new Latencies(1).total(Kind.READ))).isNull();
  }

  @Test
  void anIntervalHasWhatCameSinceTheLastOneAndTheTotalHasAll() {
    Latencies latencies = new Latencies(2);
    latencies.recorder(0).record(true, 5_000, 1_000);
    latencies.recorder(1).record(false, 7_000, 2_000);
    Latencies.Histograms first = latencies.takeInterval();
    for (Kind kind : Kind.values()) {
      assertThat(first.of(kind).getTotalCount()).as("%s", kind).isEqualTo(1);
    }
    latencies.recorder(1).record(true, 9_000, 3_000);
    Latencies.Histograms second = latencies.takeInterval();
    assertThat(second.of(Kind.READ).getTotalCount()).isZero();
    assertThat((double) second.of(Kind.WRITE).getMaxValue()).isCloseTo(9_000, within(9.0));
    assertThat((double) second.of(Kind.WRITE_PROCESSING).getMaxValue())
        .isCloseTo(3_000, within(3.0));
    assertThat(latencies.total(Kind.WRITE).getTotalCount()).isEqualTo(2);
    assertThat(latencies.total(Kind.READ).getTotalCount()).isEqualTo(1);
  }
}
