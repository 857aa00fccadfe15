package org.loam.workbench.asterixdb.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.workbench.asterixdb.crash.Ledger.Verdict;

/** What a client may find after a crash. */
class LedgerTest {
  private final Ledger ledger = new Ledger();

  private void acknowledged(long id, int version) {
    ledger.begin(Map.of(id, version));
    ledger.acknowledge();
  }

  @Test
  void whatWasAcknowledgedMustBeThere() {
    acknowledged(1, 5);
    assertThat(ledger.judge(1, 5).verdict()).isEqualTo(Verdict.KEPT);
    assertThat(ledger.judge(1, 0).verdict()).isEqualTo(Verdict.LOST);
    acknowledged(1, 6);
    assertThat(ledger.judge(1, 5).verdict()).as("an old version").isEqualTo(Verdict.WRONG);
    acknowledged(2, 0);
    assertThat(ledger.judge(2, 0).verdict()).isEqualTo(Verdict.KEPT);
    assertThat(ledger.judge(2, 3).verdict()).as("a deleted record").isEqualTo(Verdict.WRONG);
  }

  @Test
  void whatWasInFlightMayBeThere() {
    acknowledged(1, 5);
    acknowledged(2, 6);
    ledger.begin(Map.of(1L, 7, 2L, 8, 3L, 9));
    assertThat(ledger.judge(1, 7).verdict()).isEqualTo(Verdict.IN_FLIGHT);
    assertThat(ledger.judge(2, 6).verdict()).isEqualTo(Verdict.KEPT);
    assertThat(ledger.judge(3, 4).verdict()).isEqualTo(Verdict.WRONG);
    assertThat(ledger.version(1)).isEqualTo(7);
    assertThat(ledger.judge(2, 8).verdict())
        .as("in flight only until the first look")
        .isEqualTo(Verdict.WRONG);
  }

  @Test
  void aDeletionMayBeInFlight() {
    acknowledged(1, 5);
    ledger.begin(Map.of(1L, 0));
    assertThat(ledger.judge(1, 0).verdict()).isEqualTo(Verdict.IN_FLIGHT);
    assertThat(ledger.version(1)).isZero();
  }
}
