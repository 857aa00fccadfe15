package org.loam.workbench.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.Json;

class SpoolTest {
  @TempDir Path directory;

  @Test
  void recordsComeBackByNumberAndEachOnceInTheShuffledOrder() throws IOException {
    List<ObjectNode> rows = new ArrayList<>();
    RecordSource source = new TpchRows(0.001);
    source.forEach(rows::add);
    assertThat(rows).hasSizeGreaterThan(1_000);
    Path path = directory.resolve("records");
    Spool.fill(path, source, Integer.MAX_VALUE);
    try (Spool spool = Spool.open(path)) {
      assertThat(spool.count()).isEqualTo(rows.size());
      Set<Integer> shuffled = new HashSet<>();
      long bytes = 0;
      for (int i = 0; i < spool.count(); i++) {
        byte[] record = spool.read(i);
        assertThat(record).asString(UTF_8).isEqualTo(Json.line(rows.get(i)));
        shuffled.add(spool.shuffled(i));
        bytes += record.length;
      }
      assertThat(shuffled).hasSize(spool.count());
      assertThat(spool.recordBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void ordersHaveUniqueKeysAndTheirLines() throws IOException {
    Set<String> keys = new HashSet<>();
    long[] lines = new long[1];
    new TpchRows(0.001)
        .forEach(
            order -> {
              assertThat(keys.add(order.get("order").textValue())).isTrue();
              assertThat(order.get("lines")).isNotEmpty();
              lines[0] += order.get("lines").size();
            });
    assertThat(keys).hasSize(1_500).contains("Order#000000001");
    // All lines of the scale factor: none was left behind.
    assertThat(lines[0]).isEqualTo(6_005);
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
