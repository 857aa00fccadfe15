package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demonstration of AsterixDB's feeds, with generated records, which every machine has. */
class FeedDemoTest {
  @TempDir Path directory;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void nothingIsLostAndAllIsRight() {
    Path work = directory.resolve("demo");
    JsonNode report =
        LoamProcess.document(
            "asterixdb",
            "demo",
            "--quick",
            "--json",
            "--source",
            "tpch",
            "--directory",
            work.toString());
    int seen = report.path("seen").intValue();
    assertThat(report.path("records").intValue()).isEqualTo(5000);
    assertThat(seen).isGreaterThanOrEqualTo(1500);
    assertThat(report.path("recovered").intValue()).isBetween(seen, 5000);
    assertThat(report.path("lost").intValue()).isZero();
    assertThat(report.path("wrong").intValue()).isZero();
    assertThat(report.path("queries").intValue()).isGreaterThan(40);
    assertThat(work).doesNotExist();
  }
}
