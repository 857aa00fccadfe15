package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.ExitCode;
import org.loam.workbench.console.Json;

/** The benchmark of AsterixDB, on little data. */
@Tag("once")
@Tag("soak")
class BenchAsterixTest {
  @TempDir Path directory;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void everyWorkloadRunsOnBothStorages() {
    Path work = directory.resolve("bench");
    ProcessBuilder builder =
        LoamProcess.builder(
            256,
            Loam.class,
            "bench",
            "asterixdb",
            "--quick",
            "--json",
            "--records",
            "2000",
            "--seconds",
            "1",
            "--directory",
            work.toString());
    builder.command().add(1, "-Dloam.home=" + Path.of("..").toAbsolutePath().normalize());
    LoamProcess.Result result = LoamProcess.run(builder, LoamProcess::all);
    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.OK);
    JsonNode rows = Json.read(result.out(), JsonNode.class).path("rows");
    assertThat(rows.findValuesAsText("workload").stream().distinct())
        .containsExactly(
            "feed", "point", "range", "secondary", "count", "feeds-skewed", "load", "index");
    assertThat(rows).hasSize(16);
    for (JsonNode row : rows) {
      boolean loam = row.path("storage").asText().equals("LOAM");
      assertThat(row.path("opsPerSecond").doubleValue()).as("%s", row).isPositive();
      assertThat(row.path("nodeCpuMicrosPerOp").doubleValue()).as("%s", row).isPositive();
      assertThat(row.path("ratio").isNumber()).as("%s", row).isEqualTo(loam);
    }
    assertThat(work).doesNotExist();
  }
}
