package org.loam.workbench.bench.latency;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.workbench.peer.Sample;

/** What a maximum is worth. */
class DebtNeutralScriptTest {
  @TestFactory
  Stream<DynamicTest> debt() {
    return Script.tests("debt", () -> command -> interpret(command));
  }

  private static String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "owed" ->
          DebtNeutral.isNeutral(command.number("start", 0), command.number("end", 0))
              ? "neutral"
              : "to be paid";
      case "maximum" ->
          String.format(
              Locale.ROOT,
              "%.1f operations/s",
              DebtNeutral.maximum(
                  command.number("operations", 0),
                  command.number("seconds", 1),
                  command.number("pay", 0)));
      case "rest" ->
          String.format(
              Locale.ROOT,
              "%.2f s",
              DebtNeutral.unpaidSeconds(
                  command.number("bytes", 0),
                  command.number("merged", 0),
                  command.number("seconds", 1)));
      case "pay" -> pay(command);
      default -> throw command.unknown();
    };
  }

  /** Merges pay at a rate for some seconds of a clock that moves in pauses only, then rest. */
  private static String pay(Script.Command command) {
    long rate = command.number("rate", 0);
    long worked = command.number("for", Integer.MAX_VALUE);
    long owed = command.number("owed", 0);
    AtomicLong nanos = new AtomicLong();
    List<String> notes = new ArrayList<>();
    Supplier<Sample> samples =
        () -> {
          double seconds = Math.min(nanos.get() / 1e9, worked);
          return new Sample()
              .gauge(Sample.OWED_BYTES, owed - rate * seconds)
              .gauge(Sample.OPEN_MERGES, nanos.get() / 1e9 < worked ? 1 : 0)
              .counter(Sample.MERGED_BYTES, rate * seconds);
        };
    DebtPayment.Outcome paid =
        new DebtPayment(samples, nanos::get, nanos::addAndGet, notes::add)
            .await(command.number("start", 0));
    return String.format(
        Locale.ROOT,
        "%.2f s, %.0f bytes not paid%s",
        paid.seconds(),
        paid.unpaidBytes(),
        notes.isEmpty() ? "" : "\n" + notes);
  }
}
