package org.loam.workbench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Subject;
import org.loam.workbench.bench.latency.LatencyResult;
import org.loam.workbench.bench.latency.LatencyRun;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.console.Progress;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.peer.LoamEngine;
import org.loam.workbench.peer.Peer;

/** The figures of the schemes of write memory. */
class SchemeSeriesTest {
  @TempDir Path directory;

  static Stream<Arguments> figures() {
    return Stream.of(new Memory7(), new Memory8(), new Memory10(), new Memory11())
        .flatMap(figure -> Stream.of(false, true).map(full -> Arguments.of(figure, full)));
  }

  private static List<Series> series(SeriesFigure figure, boolean full) {
    return figure.series(figure.spec(full, 1));
  }

  /** A mistake in a name would show only when all series have been measured. */
  @ParameterizedTest
  @MethodSource("figures")
  void eachClaimIsAboutSeriesThatAreMeasured(SeriesFigure figure, boolean full) {
    List<String> names = series(figure, full).stream().map(Series::name).toList();
    assertThat(names).doesNotHaveDuplicates().hasSize(figure.seriesCount());
    for (ClaimFile.Claim claim : ClaimFile.ofFigure(figure.id()).claims()) {
      Check check = Check.of(claim.check());
      assertThat(names).as(check.text()).contains(check.left().series(), check.right().series());
    }
  }

  @ParameterizedTest
  @MethodSource("figures")
  void eachSeriesHasSettingsThatLoamAccepts(SeriesFigure figure, boolean full) {
    for (Series series : series(figure, full)) {
      LatencySpec spec = series.spec();
      Map<String, String> settings = spec.subject().settings();
      if (spec.subject().peer() != Peer.LOAM) {
        continue;
      }
      EngineConfig config =
          LoamEngine.config(spec.data().memoryBytes(), spec.durability(), settings);
      WriteScheme scheme = config.write().scheme();
      assertThat(series.name()).startsWithIgnoringCase(scheme.name());
      assertThat(config.write().initialBytes()).isLessThan(spec.data().memoryBytes());
      assertThat(config.tuner().mode()).as("memory stays").isEqualTo(TunerMode.FROZEN);
      // Else a tree has fewer guards than RANGES gives it, and each flush rewrites more of it.
      assertThat(config.disk().sstableBytes())
          .as("tables are as small beside write memory as in the paper")
          .isEqualTo(Math.min(64 << 20, Math.max(1 << 20, config.write().initialBytes() / 16)));
      // Twice the memory is the age of the oldest range where keys are written evenly.
      assertThat(config.log().maxBytes())
          .as("memory asks for flushes, not the log")
          .isGreaterThan(3 * config.write().initialBytes());
    }
  }

  /** In a heap that its pages fill, it is collections that the B+-tree would be measured by. */
  @Test
  void memoryInTheHeapIsAddedToTheHeap() {
    for (Series series : series(new Memory8(), true)) {
      LatencySpec spec = series.spec();
      long addedMib =
          spec.subject().peer() == Peer.INLINE_BTREE ? spec.data().memoryBytes() >> 20 : 0;
      assertThat(LatencyRun.heapMib(spec)).as(series.name()).isEqualTo(512 + addedMib);
    }
    assertThat(series(new Memory8(), true))
        .extracting(series -> series.spec().subject().peer())
        .contains(Peer.LOAM, Peer.INLINE_BTREE);
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void aSmallSeriesIsMeasured() {
    LatencySpec usual = new Memory10().spec(false, 1);
    LatencySpec small =
        new LatencySpec(
            new Subject(usual.subject().peer(), directory.toString(), Map.of()),
            new DataSize(10_000, 100, 64L << 20),
            usual.trees(),
            usual.durability(),
            usual.traffic(),
            500,
            1);
    List<Series> wanted =
        new Memory10()
            .series(small).stream()
                .filter(series -> series.name().startsWith("static_80_20"))
                .toList();
    assertThat(wanted).hasSize(2);
    List<String> notes = new ArrayList<>();
    try (Progress progress = Progress.start("test", wanted.size())) {
      List<LatencyResult> results = SchemeSeries.measure(wanted, "", notes, progress);
      assertThat(results)
          .extracting(LatencyResult::engine)
          .containsExactly("static_80_20", "static_80_20_small");
      for (LatencyResult result : results) {
        assertThat(result.running()).isNull();
        assertThat(result.testing()).isNotNull();
      }
    }
  }
}
