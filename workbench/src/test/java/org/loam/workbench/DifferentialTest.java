package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same random statements on stock storage and on Loam; all nodes stop once, one is killed. */
class DifferentialTest {
  private static final int STATEMENTS = 200;

  @TempDir Path directory;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void bothStoragesGiveTheSameAnswers() {
    JsonNode report =
        LoamProcess.document(
            "asterixdb",
            "differential",
            "--seed",
            "1",
            "--statements",
            String.valueOf(STATEMENTS),
            "--json",
            "--directory",
            directory.resolve("work").toString());
    assertThat(report.path("finding").isNull()).isTrue();
    JsonNode tally = report.path("tally");
    assertThat(tally.path("statements").intValue()).isEqualTo(STATEMENTS);
    assertThat(tally.path("kinds").path("RESTART").intValue()).isEqualTo(1);
    assertThat(tally.path("kinds").path("KILL").intValue()).isEqualTo(1);
    assertThat(tally.path("ends")).isEmpty();
    // Most questions must have an answer.
    assertThat(tally.path("rows").intValue()).isGreaterThan(1000);
    int refused = 0;
    for (JsonNode count : tally.path("refusals")) {
      refused += count.intValue();
    }
    assertThat(refused).isBetween(10, 60);
  }
}
