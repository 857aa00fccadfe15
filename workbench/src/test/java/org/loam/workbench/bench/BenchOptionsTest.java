package org.loam.workbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What options of benchmarks mean. */
class BenchOptionsTest {
  /** Short phases shorten what is measured, not what comes before. */
  @ParameterizedTest
  @CsvSource({"1, 3000", "4, 3000", "9, 3000", "30, 10000"})
  void shortPhasesAreWarmedUpAsLongAsUsualOnes(int seconds, long warmupMillis) {
    Timing timing =
        CommandLine.populateCommand(new BenchOptions(), "--seconds", String.valueOf(seconds))
            .timing();
    assertThat(timing.warmupMillis()).isEqualTo(warmupMillis);
    assertThat(timing.measureMillis()).isEqualTo(seconds * 1000L);
    assertThat(CommandLine.populateCommand(new BenchOptions()).timing().warmupMillis())
        .isEqualTo(3000);
  }
}
