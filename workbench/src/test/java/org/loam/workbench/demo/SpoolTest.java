package org.loam.workbench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
  @TempDir Path directory;

  @Test
  void recordsComeBackByNumberAndEachOnceInTheShuffledOrder() throws IOException {
    List<DemoRecord> rows = new ArrayList<>();
    RecordSource source = new TpchRows(0.001);
    source.forEach(rows::add);
    assertThat(rows).hasSizeGreaterThan(2_000);
    Path path = directory.resolve("records");
    Spool.fill(path, source, Integer.MAX_VALUE);
    try (Spool spool = Spool.open(path)) {
      assertThat(spool.count()).isEqualTo(rows.size());
      Set<Integer> shuffled = new HashSet<>();
      long bytes = 0;
      for (int i = 0; i < spool.count(); i++) {
        DemoRecord record = spool.read(i);
        assertThat(record).isEqualTo(rows.get(i));
        shuffled.add(spool.shuffled(i));
        bytes += record.key().length() + record.group().length() + record.text().length();
      }
      assertThat(shuffled).hasSize(spool.count());
      assertThat(spool.textBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void rowsHaveUniqueKeysThatNameTheirTable() throws IOException {
    Set<String> keys = new HashSet<>();
    new TpchRows(0.001)
        .forEach(
            row -> {
              assertThat(keys.add(row.key())).isTrue();
              assertThat(row.key()).startsWith(row.group() + "/");
            });
    assertThat(keys).contains("orders/000000001", "supplier/000000001", "partsupp/000000001");
  }

  @Test
  void noMoreThanAskedForIsWritten() throws IOException {
    Path path = directory.resolve("records");
    Spool.fill(path, new TpchRows(0.001), 10);
    try (Spool spool = Spool.open(path)) {
      assertThat(spool.count()).isEqualTo(10);
    }
  }
}
