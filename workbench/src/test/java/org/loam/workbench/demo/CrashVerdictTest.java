package org.loam.workbench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.loam.workbench.demo.CrashVerdict.State;

/** Plants every kind of damage and wants it found. */
class CrashVerdictTest {
  /** Writer 0: places 0-3, 8-11, 16-19; writer 1: 4-7, 12-15, 20-21. */
  private static final IngestPlan PLAN = new IngestPlan(22, 2, 4);

  private final State[] states = new State[22];

  CrashVerdictTest() {
    Arrays.fill(states, State.BEFORE);
  }

  private void write(int writer, int batch) {
    PLAN.places(writer, batch).forEach(place -> states[place] = State.AFTER);
  }

  private CrashVerdict verdict(int... acknowledged) {
    return CrashVerdict.of(PLAN, acknowledged, place -> states[place]);
  }

  @Test
  void thePlanDealsEveryRecordOnce() {
    BitSet places = new BitSet();
    int count = 0;
    for (int writer = 0; writer < PLAN.writers(); writer++) {
      for (int batch = 0; batch < PLAN.batchCount(writer); batch++) {
        int[] dealt = PLAN.places(writer, batch).toArray();
        Arrays.stream(dealt).forEach(places::set);
        count += dealt.length;
      }
    }
    assertThat(count).isEqualTo(22);
    assertThat(places.cardinality()).isEqualTo(22);
    assertThat(PLAN.batchCount()).isEqualTo(6);
    assertThatThrownBy(() -> new IngestPlan(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatWasAcknowledgedAndIsThereIsClean() {
    write(0, 0);
    write(0, 1);
    write(1, 0);
    CrashVerdict verdict = verdict(2, 1);
    assertThat(verdict.isClean()).isTrue();
    assertThat(verdict.acknowledged()).isEqualTo(12);
    assertThat(verdict.present().cardinality()).isEqualTo(12);
    assertThat(verdict.unacknowledgedBatches()).isZero();
  }

  @Test
  void theBatchInFlightMayBeThereWhole() {
    write(0, 0);
    write(0, 1);
    CrashVerdict verdict = verdict(1, 0);
    assertThat(verdict.isClean()).isTrue();
    assertThat(verdict.unacknowledgedBatches()).isEqualTo(1);
    assertThat(verdict.present().cardinality()).isEqualTo(8);
  }

  @Test
  void aLostRecordIsFound() {
    write(0, 0);
    states[2] = State.BEFORE;
    CrashVerdict verdict = verdict(1, 0);
    assertThat(verdict.lost()).isEqualTo(1);
    assertThat(verdict.isClean()).isFalse();
    assertThat(verdict.present().get(2)).isFalse();
  }

  @Test
  void aTornBatchIsFound() {
    write(0, 0);
    states[3] = State.BEFORE;
    CrashVerdict verdict = verdict(0, 0);
    assertThat(verdict.tornBatches()).isEqualTo(1);
    assertThat(verdict.isClean()).isFalse();
  }

  @Test
  void aBatchThatWasNotYetToBeWrittenIsWrong() {
    write(1, 1);
    CrashVerdict verdict = verdict(0, 0);
    assertThat(verdict.wrong()).isEqualTo(4);
    assertThat(verdict.isClean()).isFalse();
  }

  @Test
  void aValueThatWasNeverWrittenIsWrong() {
    states[21] = State.OTHER;
    assertThat(verdict(0, 0).wrong()).isEqualTo(1);
    write(0, 0);
    states[0] = State.OTHER;
    assertThat(verdict(1, 0).lost()).isEqualTo(1);
  }

  @Test
  void verdictsAddUp() {
    write(0, 0);
    CrashVerdict sum = verdict(1, 0).plus(verdict(1, 1));
    assertThat(sum.acknowledged()).isEqualTo(12);
    assertThat(sum.lost()).isEqualTo(4);
  }
}
