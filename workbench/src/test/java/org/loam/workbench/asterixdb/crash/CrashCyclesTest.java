package org.loam.workbench.asterixdb.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.workbench.asterixdb.crash.LyingCluster.Lie;

/**
 * What is found of a cluster that does something wrong, and that nothing is of one that does not.
 */
class CrashCyclesTest {
  private final List<CrashReport> ended = new ArrayList<>();

  private CrashReport cycles(Lie lie) throws InterruptedException {
    CrashCycles cycles = new CrashCycles(new LyingCluster(lie), 7);
    cycles.run(3, ended::add);
    return cycles.report();
  }

  private Findings oneCycleWith(Lie lie) throws InterruptedException {
    CrashReport report = cycles(lie);
    assertThat(report.cycles()).as("ends with the first").isEqualTo(1);
    assertThat(report.isClean()).isFalse();
    assertThat(report.text()).contains("NOT as it must be");
    return report.findings();
  }

  @Test
  void anHonestClusterIsClean() throws InterruptedException {
    CrashReport report = cycles(Lie.NONE);
    assertThat(report.findings().notes()).isEmpty();
    assertThat(report.isClean()).isTrue();
    assertThat(report.cycles()).isEqualTo(3);
    assertThat(report.kills()).isBetween(3, 6);
    assertThat(report.statements()).isPositive();
    assertThat(report.findings().kept()).isPositive();
    assertThat(report.text()).contains("lost           0", "all as it must be");
    assertThat(ended).hasSize(3);
  }

  @Test
  void aLostRecordIsFound() throws InterruptedException {
    Findings findings = oneCycleWith(Lie.LOSES_RECORDS);
    assertThat(findings.lost()).isPositive();
    assertThat(findings.notes().get(0))
        .matches("record \\d+ is not there, acknowledged was version \\d+.*");
  }

  @Test
  void anOldVersionIsFound() throws InterruptedException {
    assertThat(oneCycleWith(Lie.BRINGS_OLD_VERSIONS_BACK).wrong()).isPositive();
  }

  @Test
  void aRecordThatIsThereTwiceIsFound() throws InterruptedException {
    assertThat(oneCycleWith(Lie.SHOWS_A_RECORD_TWICE).twice()).isEqualTo(1);
  }

  @Test
  void tornRecordsAreFound() throws InterruptedException {
    assertThat(oneCycleWith(Lie.TEARS_RECORDS).wrong()).isPositive();
  }

  @Test
  void aStatementThatIsRefusedWhileAllNodesRunIsFound() throws InterruptedException {
    Findings findings = oneCycleWith(Lie.REFUSES_A_STATEMENT);
    assertThat(findings.refused()).isEqualTo(1);
    assertThat(findings.notes())
        .containsExactly("a statement was refused before any node died: no");
  }

  @Test
  void anEntryWithoutARecordIsFound() throws InterruptedException {
    assertThat(oneCycleWith(Lie.HAS_AN_ENTRY_TOO_MANY).disagreements()).isPositive();
  }

  @Test
  void aRecordWithoutAnEntryIsFound() throws InterruptedException {
    assertThat(oneCycleWith(Lie.LACKS_AN_ENTRY).disagreements()).isPositive();
    assertThat(oneCycleWith(Lie.LACKS_A_KEY).notes().get(0)).contains("index keys disagrees");
  }
}
