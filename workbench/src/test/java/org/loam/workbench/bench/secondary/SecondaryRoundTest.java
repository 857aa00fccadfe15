package org.loam.workbench.bench.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.workbench.bench.Client;
import org.loam.workbench.bench.DataSize;
import org.loam.workbench.bench.Timing;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.bench.secondary.SecondaryRound.Settings;
import org.loam.workbench.workload.Values;

class SecondaryRoundTest {
  private static final DataSize DATA = new DataSize(5_000, 100, 64L << 20);
  private static final Settings SETTINGS = new Settings(2, new Timing(0, 20, 20, 0), 42);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void allWorkGivesARow(int indexes) throws InterruptedException {
    SecondaryRound round = new SecondaryRound(DATA, indexes, SETTINGS);
    List<Work> begun = new ArrayList<>();
    round.run(directory.resolve("database"), begun::add, () -> {});
    assertThat(begun).isEqualTo(SecondaryRound.works(indexes)).hasSize(indexes == 0 ? 5 : 9);
    assertThat(round.rows())
        .extracting(row -> row.subject().workload())
        .isEqualTo(begun.stream().map(Work::name).toList());
    assertThat(round.rows().get(0).throughput().opsPerSecond()).as("of the load").isPositive();
    for (SecondaryRow row : round.rows()) {
      assertThat(row.latency().p50Micros()).isLessThanOrEqualTo(row.latency().p99Micros());
      // A window of 20 ms is empty where one operation takes longer.
      assertThat(row.perSecond().isEmpty())
          .as(row.subject().workload())
          .isEqualTo(row.throughput().opsPerSecond() == 0);
      boolean reads =
          row.subject().workload().startsWith("gets")
              || row.subject().workload().startsWith("query");
      assertThat(row.cost().writeAmplification() == null)
          .as(row.subject().workload())
          .isEqualTo(reads);
    }
  }

  /** The record that is there is not what a benchmark with longer values would have written. */
  @Test
  void aWrongRecordIsNoticed() {
    Values wrong = new Values(DATA.valueBytes() + 1);
    SplittableRandom random = new SplittableRandom(1);
    try (IndexedRecords database =
        new IndexedRecords(directory.resolve("database"), DATA.memoryBytes(), 1)) {
      Values values = new Values(DATA.valueBytes());
      Client writer = new WriteClient(database.dataset(), values, (writes, any) -> writes, random);
      for (int i = 0; i < 100; i++) {
        writer.step();
      }
      new GetClient(database.dataset(), values, 100, 10, random).step();
      new QueryClient(database.dataset(), values, 0, 10, random).step();
      assertWrong(new GetClient(database.dataset(), wrong, 100, 10, random), "never written");
      assertWrong(new GetClient(database.dataset(), values, 200, 10, random), "never written");
      assertWrong(new QueryClient(database.dataset(), wrong, 0, 10, random), "never written");
      assertWrong(new QueryClient(database.dataset(), values, 0, 101, random), "showed");
    }
  }

  private static void assertWrong(Client client, String message) {
    assertThatThrownBy(client::step)
        .isInstanceOf(WrongAnswerException.class)
        .hasMessageContaining(message);
  }
}
