package org.loam.workbench.bench.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.peer.LoamTables;

/** A process is killed while its terminals run; recovery makes the tables consistent. */
class KillTest {
  private static final int LINES = 12;

  @TempDir Path directory;

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void theConditionsHoldAfterAKillAndNothingAcknowledgedIsLost()
      throws IOException, InterruptedException {
    Path database = directory.resolve("database");
    Process process =
        ChildJvm.start(
            KilledMain.class,
            List.of("-Xmx256m", "-XX:+UseSerialGC"),
            List.of(database.toString()));
    long[] acknowledged = new long[3];
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (int i = 0; i < LINES; i++) {
        String[] words = said.readLine().split(" ");
        assertThat(words[0]).isEqualTo(KilledMain.READY);
        for (int w = 0; w < acknowledged.length; w++) {
          acknowledged[w] = Long.parseLong(words[w + 1]);
        }
      }
      process.destroyForcibly();
    }
    assertThat(process.waitFor()).isEqualTo(137);
    assertThat(acknowledged[0]).isPositive();

    try (LoamTables store = TransactionsTest.open(database)) {
      Conditions conditions = Conditions.of(store, KilledMain.SCALE);
      assertThat(conditions.violations()).isEmpty();
      assertThat(conditions.orders()).isGreaterThanOrEqualTo(acknowledged[0]);
      assertThat(conditions.paidCents()).isGreaterThanOrEqualTo(acknowledged[1]);
      assertThat(conditions.deliveries()).isGreaterThanOrEqualTo(acknowledged[2]);
      store.verify();
    }
  }
}
