package org.loam.workbench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.peer.LoamEngine;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Scale;

/** The figures of the memory tuner. */
class TunerSeriesTest {
  static Stream<Arguments> figures() {
    return Stream.of(new Memory6(), new Memory12(), new Memory13(), new Memory14())
        .flatMap(figure -> Stream.of(false, true).map(full -> Arguments.of(figure, full)));
  }

  private static List<Series> series(SeriesFigure figure, boolean full) {
    return figure.series(figure.spec(full, 1));
  }

  /** The names of the results, of which a series may have several. */
  private static List<String> names(SeriesFigure figure, boolean full) {
    List<String> names = new ArrayList<>();
    if (figure instanceof Memory14) {
      names.addAll(Memory14.TUNED);
      names.addAll(Memory14.UNTUNED);
    } else {
      series(figure, full).forEach(series -> names.add(series.name()));
    }
    if (figure instanceof Memory6) {
      names.add(Memory6.TREES_BEST);
      names.add(Memory6.TRANSACTIONS_BEST);
    }
    if (figure instanceof Memory13) {
      names.add(Memory13.BEST);
    }
    return names;
  }

  /** A mistake in a name would show only when all series have been measured. */
  @ParameterizedTest
  @MethodSource("figures")
  void eachClaimIsAboutSeriesThatAreMeasured(SeriesFigure figure, boolean full) {
    List<String> names = names(figure, full);
    assertThat(names).doesNotHaveDuplicates();
    assertThat(series(figure, full)).hasSize(figure.seriesCount());
    for (ClaimFile.Claim claim : ClaimFile.ofFigure(figure.id()).claims()) {
      Check check = Check.of(claim.check());
      assertThat(names).as(check.text()).contains(check.left().series(), check.right().series());
    }
  }

  @ParameterizedTest
  @MethodSource("figures")
  void eachSeriesHasSettingsThatLoamAccepts(SeriesFigure figure, boolean full) {
    int tuned = 0;
    for (Series series : series(figure, full)) {
      LatencySpec spec = series.spec();
      EngineConfig config =
          LoamEngine.config(
              spec.data().memoryBytes(), spec.durability(), spec.subject().settings());
      assertThat(config.write().initialBytes()).isLessThan(spec.data().memoryBytes());
      assertThat(config.tuner().mode()).isIn(TunerMode.ADAPTIVE, TunerMode.FROZEN);
      tuned += config.tuner().mode() == TunerMode.ADAPTIVE ? 1 : 0;
    }
    assertThat(tuned).isLessThan(figure.seriesCount());
    assertThat(tuned > 0).isEqualTo(!(figure instanceof Memory6));
  }

  @Test
  void warehousesFollowFromTheNumberOfRecords() {
    LatencySpec full = Warehouses.transactions(new Memory13().spec(true, 1), List.of());
    assertThat(full.transactions().scale()).isEqualTo(Scale.of(2_000, 1));
    LatencySpec scaled =
        Warehouses.transactions(new Memory14().spec(false, 1), List.of(Mix.STANDARD));
    assertThat(scaled.transactions().scale()).isEqualTo(Scale.of(6, 1));
    assertThat(scaled.transactions().mixes()).containsExactly(Mix.STANDARD);
    assertThat(new Memory13().scale(new Memory13().spec(false, 1)))
        .startsWith("warehouses: 6 of 100,000 items and 3,000 customers a district, 80 MiB");
  }
}
