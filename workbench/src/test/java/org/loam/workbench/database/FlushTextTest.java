package org.loam.workbench.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.engine.report.FlushChoice;
import org.loam.engine.report.FlushChoice.Chosen;
import org.loam.engine.report.FlushChoice.Compared;
import org.loam.engine.report.FlushChoice.Rule;
import org.loam.lsm.FlushCause;
import org.loam.workbench.console.Json;

class FlushTextTest {
  private static final long MIB = 1 << 20;
  private static final FlushChoice RANGE =
      new FlushChoice(
          2_500_000_000L,
          FlushCause.MEMORY,
          Rule.OPTIMAL,
          new Chosen("lines", 3, 16, 6 * MIB, 4 * MIB, 40 * MIB),
          new Compared(0.42, 0.235, 5 * MIB, 50 * MIB, 2 * MIB));

  @Test
  void aChoiceIsALine() {
    FlushChoice all =
        new FlushChoice(
            0,
            FlushCause.USER,
            Rule.ALL,
            new Chosen("orders", 0, 4, MIB, 0, 49 * MIB),
            new Compared(1, 1, 0, 50 * MIB, 0));
    assertThat(FlushText.of(List.of(RANGE, all)).lines())
        .containsExactly(
            "flushed  2.5 s ago: lines, range 3 of 16, 6.0 MiB, 4.0 superseded, MEMORY by OPTIMAL:"
                + " 42.0 % of memory, 23.5 % of writes, 5.0 MiB of the tree superseded,"
                + " 10.0 MiB of log, 2.0 MiB leaving",
            "flushed  0.0 s ago: orders, all 4 ranges, 1.0 MiB, 0.0 superseded, USER by ALL:"
                + " 100.0 % of memory, 100.0 % of writes, 0.0 MiB of the tree superseded,"
                + " 1.0 MiB of log, 0.0 MiB leaving");
    assertThat(FlushText.of(List.of()).lines()).containsExactly("flushed  nothing");
  }

  @Test
  void aChoiceIsAnObjectOfJson() {
    assertThat(Json.line(RANGE))
        .isEqualTo(
            "{\"ageNanos\":2500000000,\"cause\":\"MEMORY\",\"rule\":\"OPTIMAL\",\"chosen\":"
                + "{\"tree\":\"lines\",\"range\":3,\"ranges\":16,\"bytes\":6291456,"
                + "\"supersededBytes\":4194304,\"minLsn\":41943040},"
                + "\"compared\":{\"memoryShare\":0.42,\"writeShare\":0.235,"
                + "\"supersededBytes\":5242880,\"endLsn\":52428800,\"leavingBytes\":2097152}}");
  }
}
