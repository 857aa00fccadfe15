package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of many small trees, with few. */
class BenchTreesTest {
  @TempDir Path directory;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void roundsAndMediansAreInTheJson() {
    Path work = directory.resolve("work");
    JsonNode report =
        LoamProcess.document(
            "bench",
            "trees",
            "--trees",
            "100",
            "--memory",
            "64MiB",
            "--rounds",
            "2",
            "--set",
            "threads.flush=2",
            "--json",
            "--directory",
            work.toString());
    assertThat(work).doesNotExist();
    assertThat(report.path("rounds")).hasSize(2);
    JsonNode row = report.path("rows").path(0);
    assertThat(row.path("engine").asText()).isEqualTo("loam");
    for (String part : new String[] {"create", "flush", "close", "open"}) {
      assertThat(row.path(part + "Seconds").doubleValue()).as(part).isPositive();
    }
    assertThat(report.path("settings").path("trees").intValue()).isEqualTo(100);
    assertThat(report.path("settings").path("loam").path("threads.flush").asText()).isEqualTo("2");
  }
}
