package org.loam.scheduler.work;

import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.env.StorageEnv;
import org.loam.common.error.ClosedException;
import org.loam.common.script.Script;
import org.loam.scheduler.merge.ShapeText;
import org.loam.scheduler.merge.TreeShape;

/** When the writers of a tree have to wait, for how long, and what is on record of it. */
class GateScriptTest {
  private final HandClock clock = new HandClock();
  private final StorageEnv env = clock.env();
  private final StallLog stalls = new StallLog(5);
  private final WriteGate gate = new WriteGate(1, env, stalls);
  private WriteControl control = WriteControl.STOP;
  private @Nullable ClosedException closed;

  @TestFactory
  Stream<DynamicTest> gate() {
    return Script.tests("gate", () -> new GateScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "shape" -> shape(command);
      case "pace" -> pace(command);
      case "limit" -> limit(command);
      case "pass" -> pass(command);
      case "stalls" -> stalls();
      default -> throw command.unknown();
    };
  }

  private String shape(Script.Command command) {
    TreeShape shape = new ShapeText(command.number("levels", 1)).parse(1, command.lines(), 10);
    WriteControl.L0 l0 = new WriteControl.L0(shape.l0Depth(), 1, shape.l0Bytes(), 0);
    gate.update(ConstraintText.parse(command).violation(shape), control, l0);
    return state();
  }

  private String state() {
    if (gate.violation() != null) {
      return "shut: " + gate.violation();
    }
    double pace = gate.paceBytesPerSecond();
    return pace == WriteControl.UNLIMITED ? "open" : "paced at " + Math.round(pace) + " bytes/s";
  }

  /** Bytes per second from now on, whatever L0 is like; as fast as they come without a rate. */
  private String pace(Script.Command command) {
    String rate = command.option("rate", "");
    double bytesPerSecond = rate.isEmpty() ? WriteControl.UNLIMITED : Double.parseDouble(rate);
    control = fixed(bytesPerSecond);
    gate.update(null, control, WriteGateTest.SOME_L0);
    return state();
  }

  private static WriteControl fixed(double bytesPerSecond) {
    return new WriteControl() {
      @Override
      public boolean isDue(L0 l0) {
        return true;
      }

      @Override
      public double bytesPerSecond(L0 l0, double reliefBytesPerSecond) {
        return bytesPerSecond;
      }
    };
  }

  /** Bytes per second that writes never exceed. */
  private String limit(Script.Command command) {
    control = new WriteControl.Limit(Double.parseDouble(command.option("rate", "")));
    gate.update(null, control, WriteGateTest.SOME_L0);
    return state();
  }

  /** A write; the lines below say what happens while it waits, and after what time. */
  private String pass(Script.Command command) {
    long start = clock.nanoTime();
    for (String line : command.lines()) {
      String[] words = line.split(" +", 2);
      clock.after(Units.parseNanos(words[0]), () -> happens(words[1]));
    }
    String within = command.option("within", "");
    long deadline = within.isEmpty() ? WriteGate.NO_DEADLINE : start + Units.parseNanos(within);
    String end;
    try {
      end = gate.pass(command.number("bytes", 1), deadline, this::mayWait) ? "passed" : "too late";
    } catch (ClosedException e) {
      end = e.getMessage();
    }
    long waited = clock.nanoTime() - start;
    clock.pause(Units.parseNanos(command.option("rest", "1000ms")));
    return end + (waited == 0 ? " at once" : " after " + Units.formatNanos(waited));
  }

  private void mayWait() {
    if (closed != null) {
      throw closed;
    }
  }

  private void happens(String what) {
    switch (what) {
      case "open" -> gate.set(null);
      case "faster" -> gate.update(null, new WriteControl.Limit(100e6), WriteGateTest.SOME_L0);
      case "as before" -> gate.update(null, control, WriteGateTest.SOME_L0);
      case "paced" -> gate.update(null, fixed(1e6), WriteGateTest.SOME_L0);
      case "released" -> gate.release();
      case "closed" -> closed = new ClosedException("closed");
      default -> gate.set(StallCause.valueOf(what));
    }
  }

  private String stalls() {
    StringJoiner out = new StringJoiner("\n");
    stalls
        .snapshot(clock.nanoTime())
        .totals()
        .forEach(
            (cause, totals) -> {
              if (totals.count() > 0) {
                out.add(cause + ": " + totals.count() + ", " + Units.formatNanos(totals.nanos()));
              }
            });
    return out.toString();
  }
}
