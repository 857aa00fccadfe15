package org.loam.workbench.bench.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.workbench.bench.DataSize;

@Tag("once")
class SecondaryReportTest {
  private static final DataSize DATA = new DataSize(5_000, 100, 64L << 20);

  private static SecondaryRow row(Work work, int indexes, double opsPerSecond) {
    return new SecondaryRow(
        work.name(),
        indexes,
        1,
        DATA,
        opsPerSecond,
        opsPerSecond * work.records(),
        1,
        work.writes() ? 2.0 : null,
        1,
        2,
        3,
        null,
        List.of());
  }

  @Test
  void theMedianOfEachSubjectCounts() {
    List<SecondaryRow> medians =
        SecondaryReport.medians(
            List.of(row(Work.LOAD, 0, 300), row(Work.LOAD, 0, 100), row(Work.LOAD, 0, 200)));
    assertThat(medians).containsExactly(row(Work.LOAD, 0, 200));
  }

  @Test
  void writesAreHeldAgainstThoseWithoutIndexesAndQueriesAgainstGets() {
    List<SecondaryRow> medians =
        SecondaryReport.medians(
            List.of(
                row(Work.LOAD, 0, 200),
                row(Work.GETS, 0, 999),
                row(Work.LOAD, 2, 150),
                row(Work.GETS, 2, 4),
                row(Work.query(10), 2, 1_200)));
    assertThat(medians)
        .extracting(SecondaryRow::ratio)
        .containsExactly(null, null, 0.75, null, 3.0);
  }
}
