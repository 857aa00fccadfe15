package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of AsterixDB, on little data. */
@Tag("soak")
class BenchAsterixTest {
  @TempDir Path directory;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void everyWorkloadRunsOnBothStorages() {
    Path work = directory.resolve("bench");
    JsonNode report =
        LoamProcess.document(
            "bench",
            "asterixdb",
            "--quick",
            "--json",
            "--records",
            "2000",
            "--seconds",
            "1",
            "--datasets",
            "4",
            "--set",
            "tuner.mode=OBSERVE",
            "--directory",
            work.toString());
    assertThat(report.path("settings").path("tuner.mode").textValue()).isEqualTo("OBSERVE");
    JsonNode rows = report.path("rows");
    assertThat(rows.findValuesAsText("workload").stream().distinct())
        .containsExactly(
            "feed",
            "point",
            "range",
            "secondary",
            "count",
            "feeds-skewed",
            "load",
            "index",
            "stop");
    assertThat(rows).hasSize(18);
    for (JsonNode row : rows) {
      boolean loam = row.path("storage").asText().equals("LOAM");
      assertThat(row.path("opsPerSecond").doubleValue()).as("%s", row).isPositive();
      if (row.path("workload").textValue().equals("stop")) {
        assertThat(row.path("p50Millis").doubleValue()).as("%s", row).isPositive();
      } else {
        assertThat(row.path("nodeCpuMicrosPerOp").doubleValue()).as("%s", row).isPositive();
      }
      assertThat(row.path("ratio").isNumber()).as("%s", row).isEqualTo(loam);
    }
    assertThat(work).doesNotExist();
  }
}
