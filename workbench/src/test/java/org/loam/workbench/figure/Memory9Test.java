package org.loam.workbench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.EngineConfig;
import org.loam.workbench.bench.latency.LatencySpec;
import org.loam.workbench.figure.SchemeSeries.Series;
import org.loam.workbench.peer.LoamEngine;

/** The figure of a write memory of changing size. */
class Memory9Test {
  private final Memory9 figure = new Memory9();

  /** A mistake in a name would show only when all series have been measured. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachClaimIsAboutStagesThatAreMeasured(boolean full) {
    List<Series> series = figure.series(figure.spec(full, 1));
    List<String> names = series.stream().flatMap(one -> Memory9.names(one).stream()).toList();
    assertThat(names).doesNotHaveDuplicates().contains("static_small_in_large");
    for (ClaimFile.Claim claim : ClaimFile.ofFigure(figure.id()).claims()) {
      Check check = Check.of(claim.check());
      assertThat(names).as(check.text()).contains(check.left().series(), check.right().series());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void loamAcceptsTheSettingsOfEachStage(boolean full) {
    for (Series series : figure.series(figure.spec(full, 1))) {
      LatencySpec spec = series.spec();
      List<String> names = Memory9.names(series);
      assertThat(spec.phases().stages()).hasSameSizeAs(names);
      for (int i = 0; i < names.size(); i++) {
        Map<String, String> settings = new LinkedHashMap<>(spec.subject().settings());
        settings.putAll(spec.phases().stages().get(i));
        EngineConfig config =
            LoamEngine.config(spec.data().memoryBytes(), spec.durability(), settings);
        long ratio = config.write().initialBytes() / config.memory().writeTargetBytes();
        assertThat(ratio).as(names.get(i)).isEqualTo(names.get(i).contains("_in_large") ? 1 : 32);
        assertThat(config.log().maxBytes()).isGreaterThan(3 * config.write().initialBytes());
      }
    }
  }
}
