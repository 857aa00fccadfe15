package org.loam.workbench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
import org.loam.workbench.bench.latency.TestingResult;
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

  /** A mistake in the name of a number would show only then, too. */
  @ParameterizedTest
  @MethodSource("figures")
  void eachClaimIsAboutANumberThatIsMeasured(SeriesFigure figure, boolean full) {
    Map<String, Double> totals = Map.of("flushedBytes", 1.0, "mergedBytes", 1.0);
    TestingResult testing =
        new TestingResult(
            1,
            1,
            null,
            1,
            null,
            totals,
            new org.loam.workbench.bench.latency.Series(List.of(), Map.of(), List.of()));
    LatencyResult.LoadMemory memory = new LatencyResult.LoadMemory(1, 1);
    LatencyResult result =
        new LatencyResult("any", 1, testing, null, -1, figure instanceof Memory8 ? memory : null);
    for (ClaimFile.Claim claim : ClaimFile.ofFigure(figure.id()).claims()) {
      Check check = Check.of(claim.check());
      assertThat(result.number(check.left().number())).as(check.text()).isFinite();
      assertThat(result.number(check.right().number())).as(check.text()).isFinite();
    }
  }

  /** The paper has TPC-C with as many datasets as STATIC has places, so it has no tuned one. */
  @ParameterizedTest
  @MethodSource("figures")
  void allSchemesAreCompared(SeriesFigure figure, boolean full) {
    Set<String> schemes = new TreeSet<>();
    for (Series series : series(figure, full)) {
      String scheme = series.spec().subject().settings().get("write.scheme");
      if (scheme != null) {
        schemes.add(scheme);
      }
    }
    Set<String> all = new TreeSet<>();
    for (WriteScheme scheme : WriteScheme.values()) {
      all.add(scheme.name());
    }
    if (figure instanceof Memory8) {
      all.remove("STATIC");
    } else if (figure instanceof Memory11) {
      all.removeAll(List.of("STATIC_TUNED", "ACCORDION_INDEX", "ACCORDION_DATA"));
    }
    assertThat(schemes).isEqualTo(all);
  }

  /** A process, its load, its debt and its scan took up to 19 s beside each phase of memory-7. */
  @ParameterizedTest
  @MethodSource("figures")
  void aFigureTakesTwentyMinutesAtMost(SeriesFigure figure, boolean full) {
    long millis = figure.spec(false, 1).phaseMillis();
    assertThat(figure.seriesCount() * (millis + 19_000)).isLessThanOrEqualTo(20 * 60_000);
  }

  /**
   * A third of the half hours of MemoryWalls §6.2.1 does not count, and half of the hours of 6.2.3.
   */
  @Test
  void asMuchDoesNotCountAsInThePaper() {
    for (SeriesFigure figure : List.of(new Memory7(), new Memory10(), new Memory11())) {
      int parts = figure instanceof Memory11 ? 2 : 3;
      for (Series series : series(figure, true)) {
        assertThat(series.spec().phases().warmupParts()).as(series.name()).isEqualTo(parts);
      }
    }
  }

  @Test
  void proportionsAreThoseOfTheSeries() {
    assertThat(new Memory7().scale(new Memory7().spec(false, 1)))
        .contains(
            "of which 24 or 6 MiB are write memory, phases of 15 s of which the last two thirds"
                + " count: data 10 and 41 times write memory and 3.0 times all memory, the log 4.0"
                + " and 16 times write memory, write memory 6.0 and 16 times an SSTable; the");
    assertThat(new Memory9().scale(new Memory9().spec(false, 1)))
        .contains(
            "data 15 and 487 times write memory and 6.1 times all memory, the log 4.0 and 128 times"
                + " write memory, write memory 0.5 and 16 times an SSTable; the paper");
    assertThat(new Memory11().scale(new Memory11().spec(false, 1)))
        .contains("here: data 18 and 73 and 176 times write memory and 5.5 times all memory");
  }

  /** What the paper has as 10 GB and 32 MB: else little is merged in memory, or all at once. */
  @Test
  void theMemoryOfLevelsIsMergedInAsManyPartsAsInThePaper() {
    LatencySpec spec = new Memory8().spec(false, 1);
    for (Series series : series(new Memory8(), false)) {
      String activeBytes = series.spec().subject().settings().get("write.activeBytes");
      assertThat(activeBytes != null).isEqualTo(series.name().equals("levels"));
      if (activeBytes != null) {
        long bytes = Long.parseLong(activeBytes.replace("B", ""));
        assertThat(spec.data().dataBytes() / bytes).isBetween(300L, 340L);
      }
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
