package org.loam.scheduler.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.scheduler.work.WriteGateTest.SOME_L0;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.sim.Explored;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.work.Pacer.Turn;

/** Schedules of writers that take their turns while the gate changes. */
@Explored
class WriteGateScheduleTest {
  private static final int SCHEDULES = 500;
  private static final int MILLISECOND = 1_000_000;

  /** A thousand bytes a second: a byte takes a millisecond. */
  private static final double RATE = 1000;

  private static final class Fixed implements WriteControl {
    @Override
    public boolean isDue(L0 l0) {
      return true;
    }

    @Override
    public double bytesPerSecond(L0 l0, double reliefBytesPerSecond) {
      return RATE;
    }
  }

  /** Turns never overlap, and none gets lost. */
  @Test
  void eachTurnBelongsToOne() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Pacer pacer = new Pacer(0);
          long[] begins = new long[6];
          Runnable[] writers = new Runnable[3];
          for (int w = 0; w < writers.length; w++) {
            int first = 2 * w;
            writers[w] =
                () -> {
                  begins[first] =
                      pacer.turn(Turn.NONE, 3, RATE, Pacer.MOST_WAIT_NANOS, 0).beginNanos();
                  begins[first + 1] =
                      pacer.turn(Turn.NONE, 3, RATE, Pacer.MOST_WAIT_NANOS, 0).beginNanos();
                };
          }
          sim.run(writers);
          Arrays.sort(begins);
          for (int i = 0; i < begins.length; i++) {
            assertThat(begins[i]).isEqualTo(3L * MILLISECOND * i);
          }
          assertThat(pacer.bytes()).isEqualTo(18);
        });
  }

  /** Neither is a turn lost that another writer takes meanwhile, nor is one given back twice. */
  @Test
  void aTurnIsGivenBackBesideOthers() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Pacer pacer = new Pacer(0);
          Runnable stays = () -> pacer.turn(Turn.NONE, 3, RATE, Pacer.MOST_WAIT_NANOS, 0);
          Runnable goes = () -> pacer.turn(Turn.NONE, 3, RATE, Pacer.MOST_WAIT_NANOS, 0).giveBack();
          sim.run(stays, goes, stays);
          assertThat(pacer.bytes()).isEqualTo(6);
          assertThat(pacer.turn(Turn.NONE, 3, RATE, Pacer.MOST_WAIT_NANOS, 0).beginNanos())
              .isEqualTo(6L * MILLISECOND);
        });
  }

  /** A writer that read the clock long before it takes its turn takes none of others again. */
  @Test
  void anOldReadingOfTheClockTakesNoTurnBack() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Pacer pacer = new Pacer(0);
          long now = 100L * MILLISECOND;
          long[] begins = new long[3];
          Runnable late =
              () -> {
                for (int i = 0; i < begins.length; i++) {
                  pacer.turn(Turn.NONE, 30, RATE, Pacer.MOST_WAIT_NANOS, 0);
                }
              };
          Runnable others =
              () -> {
                for (int i = 0; i < begins.length; i++) {
                  begins[i] =
                      pacer.turn(Turn.NONE, 30, RATE, Pacer.MOST_WAIT_NANOS, now).beginNanos();
                }
              };
          sim.run(late, others);
          // Before the first of them time was not used, which counts.
          assertThat(begins).containsExactly(now, now + 25L * MILLISECOND, now + 55L * MILLISECOND);
        });
  }

  /** Time that was not used counts up to the credit, however many writers come at once after it. */
  @Test
  void timeThatWasNotUsedCountsOnce() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          Pacer pacer = new Pacer(0);
          long now = 1000L * MILLISECOND;
          long[] begins = new long[3];
          Runnable[] writers = new Runnable[begins.length];
          for (int w = 0; w < writers.length; w++) {
            int own = w;
            writers[w] =
                () ->
                    begins[own] =
                        pacer.turn(Turn.NONE, 10, RATE, Pacer.MOST_WAIT_NANOS, now).beginNanos();
          }
          sim.run(writers);
          Arrays.sort(begins);
          assertThat(begins).containsExactly(now, now + 5L * MILLISECOND, now + 15L * MILLISECOND);
        });
  }

  /** One writer knows what it writes before it passes, another one counts it afterwards. */
  @Test
  void aWriterThatCountsAndOneThatPassesHaveTurnsOfTheirOwn() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          WriteGate gate = pacedGate(sim);
          long start = sim.env().clock().nanoTime();
          sim.run(
              () -> {
                pass(gate, 20);
                pass(gate, 20);
              },
              () -> {
                gate.count(Turn.NONE, 20);
                gate.count(Turn.NONE, 20);
              });
          sim.run(() -> pass(gate, 1));
          assertThat(sim.env().clock().nanoTime() - start)
              .isBetween(79L * MILLISECOND, 81L * MILLISECOND);
        });
  }

  /** Later writers wait for what it counts, unless it finds the gate open. */
  @Test
  void aWriterCountsWhileTheGateOpensForAMoment() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          WriteGate gate = pacedGate(sim);
          long start = sim.env().clock().nanoTime();
          sim.run(
              () -> gate.count(Turn.NONE, 20),
              () -> {
                gate.update(null, WriteControl.STOP, SOME_L0);
                gate.update(null, new Fixed(), SOME_L0);
              });
          sim.run(() -> pass(gate, 1));
          assertThat(sim.env().clock().nanoTime() - start)
              .satisfiesAnyOf(
                  nanos -> assertThat(nanos).isLessThan(MILLISECOND),
                  nanos -> assertThat(nanos).isBetween(19L * MILLISECOND, 21L * MILLISECOND));
        });
  }

  /** The turn that it gives back may lie between those of the other one. */
  @Test
  void aWriterThatIsTooLateTakesNoTimeOfOthers() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          WriteGate gate = pacedGate(sim);
          long start = sim.env().clock().nanoTime();
          int[] passed = new int[1];
          Runnable hasty =
              () -> {
                if (gate.pass(20, start + MILLISECOND, WriteGateTest.MAY_WAIT)) {
                  passed[0]++;
                }
              };
          sim.run(
              () -> {
                pass(gate, 20);
                pass(gate, 20);
              },
              hasty);
          sim.run(() -> pass(gate, 1));
          long turns = 20L * (2 + passed[0]);
          assertThat(sim.env().clock().nanoTime() - start)
              .isBetween((turns - 1) * MILLISECOND, (turns + 1) * MILLISECOND);
        });
  }

  private static WriteGate pacedGate(Simulation sim) {
    WriteGate gate = new WriteGate(1, sim.env(), new StallLog(4));
    gate.update(null, new Fixed(), SOME_L0);
    return gate;
  }

  private static void pass(WriteGate gate, long bytes) {
    assertThat(gate.pass(bytes, WriteGate.NO_DEADLINE, WriteGateTest.MAY_WAIT)).isTrue();
  }

  /** A writer that saw a pace is neither let past a stop that came in between nor forgotten. */
  @Test
  void aWriterGoesOnWhenTheGateOpens() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          StorageEnv env = sim.env();
          WriteGate gate = new WriteGate(1, env, new StallLog(4));
          gate.update(null, new Fixed(), SOME_L0);
          boolean[] opened = new boolean[1];
          long start = env.clock().nanoTime();
          Runnable writer =
              () -> {
                pass(gate, 90);
                long begin = env.clock().nanoTime();
                pass(gate, 1);
                long waited = env.clock().nanoTime() - begin;
                assertThat(opened[0] || waited >= 80 * MILLISECOND).isTrue();
              };
          Runnable tree =
              () -> {
                gate.update(StallCause.L0_STOP, new Fixed(), SOME_L0);
                gate.update(null, new Fixed(), SOME_L0);
                opened[0] = true;
                gate.update(null, WriteControl.STOP, SOME_L0);
              };
          assertThat(sim.run(writer, tree)).isTrue();
          assertThat(env.clock().nanoTime() - start).isLessThan(1000L * MILLISECOND);
          assertThat(gate.violation()).isNull();
        });
  }

  /** Nothing of a low limit is left for writers that meet a higher one, wherever they were. */
  @Test
  void writersThatWaitTakeTurnsBelowAHigherLimit() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          StorageEnv env = sim.env();
          WriteGate gate = new WriteGate(1, env, new StallLog(4));
          gate.update(null, new WriteControl.Limit(RATE / 1000), SOME_L0);
          long start = env.clock().nanoTime();
          Runnable writer =
              () -> {
                for (int i = 0; i < 2; i++) {
                  pass(gate, 20);
                }
              };
          Runnable tree =
              () -> {
                gate.update(null, new WriteControl.Limit(RATE / 1000), SOME_L0);
                gate.update(null, new WriteControl.Limit(RATE), SOME_L0);
              };
          assertThat(sim.run(writer, writer, tree)).isTrue();
          // One may have passed below the low limit; the others take 20 ms each, less the credit.
          // None sleeps until it is asked again: the limit may change before the first wait, too.
          assertThat(env.clock().nanoTime() - start)
              .isBetween(35L * MILLISECOND, 100L * MILLISECOND - 1);
        });
  }

  /** Writers that saw the gate shut meet a limit when they get there. */
  @Test
  void writersThatSawAStopTakeTurnsBelowALimit() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          StorageEnv env = sim.env();
          WriteGate gate = new WriteGate(1, env, new StallLog(4));
          gate.set(StallCause.L0_STOP);
          long start = env.clock().nanoTime();
          Runnable writer = () -> pass(gate, 20);
          Runnable tree = () -> gate.update(null, new WriteControl.Limit(RATE), SOME_L0);
          assertThat(sim.run(writer, writer, writer, tree)).isTrue();
          // The last of three turns begins after 40 ms, less the credit.
          assertThat(env.clock().nanoTime() - start)
              .isBetween(35L * MILLISECOND, 100L * MILLISECOND - 1);
        });
  }

  /** It is open before its monitor is taken, to signal it. */
  @Test
  void aWriterThatSawAShutGateDoesNotSleepUntilItIsAskedAgain() {
    Schedules.explore(
        SCHEDULES,
        sim -> {
          StorageEnv env = sim.env();
          WriteGate gate = new WriteGate(1, env, new StallLog(4));
          gate.set(StallCause.INDEX_BUILD);
          long start = env.clock().nanoTime();
          Runnable writer = () -> pass(gate, 0);
          assertThat(sim.run(writer, writer, () -> gate.set(null))).isTrue();
          assertThat(env.clock().nanoTime() - start).isLessThan(100L * MILLISECOND);
        });
  }
}
