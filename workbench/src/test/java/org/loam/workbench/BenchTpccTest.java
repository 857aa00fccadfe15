package org.loam.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The workload derived from TPC-C, for a few seconds. */
class BenchTpccTest {
  @TempDir Path directory;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void eachEngineAndSplitHasARow() {
    Path work = directory.resolve("work");
    JsonNode report =
        LoamProcess.document(
            "bench",
            "tpcc",
            "--warehouses",
            "1",
            "--part",
            "0.02",
            "--seconds",
            "1",
            "--threads",
            "2",
            "--memory",
            "64MiB",
            "--splits",
            "30",
            "--json",
            "--directory",
            work.toString());
    assertThat(work).doesNotExist();
    assertThat(report.path("rows")).hasSize(2);
    assertThat(report.path("rows").path(1).path("engine").asText()).isEqualTo("loam-30");
    JsonNode row = report.path("rows").path(0);
    assertThat(row.path("engine").asText()).isEqualTo("loam");
    double perSecond = row.path("transactionsPerSecond").doubleValue();
    assertThat(perSecond).isPositive();
    assertThat(row.path("newOrdersPerMinute").doubleValue() / 60 / perSecond).isBetween(0.3, 0.6);
    // 0 if all went to pages of the log that the kernel had counted when the log was prepared.
    assertThat(row.path("writtenBytesPerTransaction").isNumber()).isTrue();
    long count = 0;
    for (String kind :
        new String[] {"new-order", "payment", "order-status", "delivery", "stock-level"}) {
      JsonNode ofKind = row.path("transactions").path(kind);
      count += ofKind.path("count").longValue();
      assertThat(ofKind.path("p99Micros").doubleValue())
          .isGreaterThanOrEqualTo(ofKind.path("p50Micros").doubleValue());
    }
    assertThat((double) count).isBetween(0.99 * perSecond, 1.01 * perSecond);
    assertThat(report.path("settings").path("mix").asText()).isEqualTo("STANDARD");
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void theTextHasALineForEachKindOfTransaction() {
    LoamProcess.Result result =
        LoamProcess.run(
            "bench",
            "tpcc",
            "--warehouses",
            "1",
            "--part",
            "0.01",
            "--seconds",
            "0.3",
            "--mix",
            "read-mostly",
            "--memory",
            "64MiB",
            "--directory",
            directory.resolve("work").toString());
    assertThat(result.exitCode()).as(result.toString()).isZero();
    assertThat(result.out()).startsWith("mix read-mostly, warehouses: 1 of 1,000 items");
    assertThat(result.out()).contains("order-status   loam", "stock-level    loam", "payment ");
    assertThat(result.err()).contains("one round only");
  }
}
