package org.loam.it.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.loam.common.env.NanoClock;
import org.loam.common.sim.Simulation;
import org.loam.scheduler.work.StallLog;
import org.loam.scheduler.work.WriteControl;
import org.loam.scheduler.work.WriteGate;

/**
 * Three writers at a gate that paces them: no two get one turn, and no turn comes before those
 * ahead of it are paid for, although the gate was idle before. Without an engine around the gate a
 * schedule has few accesses, so that each of them is likely to be the one at which it switches.
 */
public final class TurnsTrial extends ScheduleTrial {
  private static final int WRITERS = 3;
  private static final int TURNS = 3;
  private static final long BYTES = 20;
  private static final double BYTES_PER_SECOND = 1000;
  private static final long TURN_NANOS = 20_000_000;

  /** A turn that is so near is not waited for; and time that was not used counts so long. */
  private static final long SLACK_NANOS = 6_000_000;

  /** How long no write comes before the race. */
  private static final long IDLE_NANOS = 200_000_000;

  private static final class Steady implements WriteControl {
    @Override
    public boolean isDue(L0 l0) {
      return false;
    }

    @Override
    public double bytesPerSecond(L0 l0, double reliefBytesPerSecond) {
      return BYTES_PER_SECOND;
    }
  }

  /** To be run in instrumented code. */
  public TurnsTrial() {
    super(TurnsTrial::world);
  }

  static void world(Simulation sim) {
    WriteGate gate = new WriteGate(1, sim.env(), new StallLog(1));
    gate.update(null, new Steady(), new WriteControl.L0(0, 1, 0, 0));
    sim.run(() -> sim.env().waiter().pause(IDLE_NANOS));
    NanoClock clock = sim.env().clock();
    List<Long> passed = Collections.synchronizedList(new ArrayList<>());
    long start = clock.nanoTime();
    Runnable writer =
        () -> {
          for (int i = 0; i < TURNS; i++) {
            Check.that(gate.pass(BYTES, WriteGate.NO_DEADLINE, () -> {}), "there is no deadline");
            passed.add(clock.nanoTime() - start);
          }
        };
    sim.run(writer, writer, writer);
    Collections.sort(passed);
    for (int i = 0; i < WRITERS * TURNS; i++) {
      long least = i * TURN_NANOS - SLACK_NANOS;
      Check.that(
          passed.get(i) >= least,
          "write " + i + " passed after " + passed.get(i) + " ns, before its turn at " + least);
    }
  }
}
