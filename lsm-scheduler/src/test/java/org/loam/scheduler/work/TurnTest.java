package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.scheduler.work.WriteGateTest.MAY_WAIT;
import static org.loam.scheduler.work.WriteGateTest.SOME_L0;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.error.ClosedException;
import org.loam.scheduler.work.Pacer.Turn;

/** What a write gives back that is not written, at one gate and at several. */
class TurnTest {
  private static final long MILLISECOND = 1_000_000;

  /** A byte takes a millisecond. */
  private static final double RATE = 1000;

  private final HandClock clock = new HandClock();
  private final WriteGate first = limited();
  private final WriteGate second = limited();

  private WriteGate limited() {
    WriteGate gate = new WriteGate(1, clock.env(), new StallLog(1));
    gate.update(null, new WriteControl.Limit(RATE), SOME_L0);
    return gate;
  }

  private static Turn pass(WriteGate gate, Turn before, long bytes) {
    Turn turn = gate.pass(before, bytes, WriteGate.NO_DEADLINE, MAY_WAIT);
    assertThat(turn).isNotNull();
    return turn;
  }

  /** How long the next write waits. */
  private long waitMillis(WriteGate gate) {
    long begin = clock.nanoTime();
    pass(gate, Turn.NONE, 0);
    return (clock.nanoTime() - begin) / MILLISECOND;
  }

  /** Its bytes are not written: they say nothing about what a flush makes of those that are. */
  @Test
  void aTurnThatIsGivenBackIsNotCounted() {
    Pacer pacer = new Pacer(0);
    pacer.turn(Turn.NONE, 7, RATE, Pacer.MOST_WAIT_NANOS, 0);
    pacer.turn(Turn.NONE, 20, RATE, Pacer.MOST_WAIT_NANOS, 0).giveBack();
    assertThat(pacer.bytes()).isEqualTo(7);
  }

  @Test
  void aWriteGivesBackWhatItTookAtAllGates() {
    Turn turn = pass(second, pass(first, Turn.NONE, 20), 30);
    turn = second.count(turn, 40);
    turn.giveBack();
    assertThat(waitMillis(first)).isZero();
    assertThat(waitMillis(second)).isZero();
  }

  @Test
  void aWriteThatIsTooLateAtOneGateKeepsNoTurnAtAnother() {
    Turn before = pass(first, Turn.NONE, 20);
    second.count(Turn.NONE, 30);
    assertThat(second.pass(before, 20, clock.nanoTime() + 5 * MILLISECOND, MAY_WAIT)).isNull();
    assertThat(waitMillis(first)).isZero();
    assertThat(waitMillis(second)).isEqualTo(25);
  }

  /** It is asked before it waits, and every 100 ms. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aWriteThatMayNotWaitKeepsNoTurn(int answers) {
    Turn before = pass(first, Turn.NONE, 500);
    second.count(Turn.NONE, 300);
    int[] asked = new int[1];
    Runnable mayWait =
        () -> {
          if (asked[0]++ == answers) {
            throw new ClosedException("closed");
          }
        };
    assertThatThrownBy(() -> second.pass(before, 20, WriteGate.NO_DEADLINE, mayWait))
        .isInstanceOf(ClosedException.class);
    assertThat(waitMillis(first)).isZero();
    assertThat(waitMillis(second)).isEqualTo(300 - 100 * answers);
  }

  @Test
  void aWriteThatTakesATurnBelowALimitKeepsNoneOfThePace() {
    first.pace(RATE);
    first.count(Turn.NONE, 50);
    Turn before = pass(second, Turn.NONE, 90);
    clock.after(10 * MILLISECOND, () -> first.update(null, new WriteControl.Limit(RATE), SOME_L0));
    pass(first, before, 40);
    first.pace(RATE);
    assertThat(waitMillis(first)).isEqualTo(40);
    assertThat(waitMillis(second)).isEqualTo(40);
  }
}
