package org.loam.workbench.asterixdb.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.CommandException;

/** Processes that run cases, hang and die. */
class SuiteRunTest {
  /** Long for an answer that comes, short for one that does not. */
  private static final Duration CASE_LIMIT = Duration.ofSeconds(5);

  @TempDir Path directory;

  private SuiteRun run() throws IOException {
    Path jar =
        SuiteJar.in(directory, Map.of("runtimets/lacks/x.1.update.sqlpp", "nc1://data/a.adm"));
    SuiteFiles files = new SuiteFiles(directory.resolve("root"), jar.toString(), null);
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            FakeRunner.class.getName());
    return new SuiteRun(
        files, command, System.getProperty("java.class.path"), List.of("a=1", "a=2"), CASE_LIMIT);
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void theRunGoesOnWithANewClusterWhenACaseHangsOrKillsIt() throws Exception {
    SuiteRun run = run();
    SuitePlan plan = run.plan(List.of("g"), null);
    assertThat(plan.runnable()).isEqualTo(6);
    StorageResult result = run.run("loam", plan);
    assertThat(result.cases())
        .extracting(one -> one.name() + ": " + one.outcome() + " " + one.reason())
        .containsExactly(
            "passes: PASSED ",
            "fails: FAILED wrong answer",
            "hangs: FAILED no end after 5 s",
            "dies: FAILED the cluster's process ended, exit code 3",
            "lacks: NOT_RUN needs data/a.adm",
            "spoils: FAILED left",
            "passes-again: PASSED ");
    assertThat(result.served()).isEqualTo(2);
    assertThat(result.trees()).isEqualTo(12);
    assertThat(result.tuner()).isEqualTo(new TunerCycles(6, 4, 2));
    assertThat(Files.readAllLines(run.log("loam")))
        .containsExactly(
            "begins loam",
            "gets a=1",
            "gets a=2",
            "gets a=1",
            "no answer",
            "ends",
            "begins loam",
            "gets a=2",
            "begins loam",
            "gets a=1",
            "ends",
            "begins loam",
            "gets a=2",
            "ends");
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void aRunnerThatDoesNotStartIsAnError() throws Exception {
    SuiteRun run = run();
    SuitePlan plan = run.plan(List.of("all"), null);
    assertThatThrownBy(() -> run.run("broken", plan))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("exit code 5")
        .hasMessageContaining(run.log("broken").toString());
    assertThat(run.log("broken")).hasContent("begins broken");
  }
}
