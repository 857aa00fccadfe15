package org.loam.scheduler.work;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.script.Script;
import org.loam.scheduler.merge.ShapeText;
import org.loam.scheduler.merge.TreeShape;

/** At which rate writers are let in as L0 fills, and how the relief of L0 is measured. */
class PaceScriptTest {
  @TestFactory
  Stream<DynamicTest> pace() {
    return Script.tests("pace", () -> PaceScriptTest::interpret);
  }

  private static String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "rates" -> rates(command);
      case "shape" -> shape(command);
      case "relief" -> relief(command.lines());
      case "flushes" -> flushes(command);
      default -> throw command.unknown();
    };
  }

  /** The rates for each depth of L0 at which there is one. */
  private static String rates(Script.Command command) {
    StringJoiner out = new StringJoiner("\n");
    out.setEmptyValue("never paced");
    for (int depth = 0; depth <= command.number("stop", 12) + 1; depth++) {
      double rate = rate(command, new WriteControl.L0(depth, due(command), 0, 0));
      if (rate < WriteControl.UNLIMITED) {
        out.add("depth " + depth + ": " + megabytes(rate));
      }
    }
    return out.toString();
  }

  /** The rate for a shape. */
  private static String shape(Script.Command command) {
    TreeShape shape =
        new ShapeText(command.number("levels", 2))
            .parse(1, command.lines(), command.number("memory", 10));
    double fill = shape.l0Fill(command.number("ratio", 10));
    double rate =
        rate(command, new WriteControl.L0(shape.l0Depth(), due(command), shape.l0Bytes(), fill));
    return String.format(Locale.ROOT, "depth %d, %.2f of a full L1: ", shape.l0Depth(), fill)
        + (rate == WriteControl.UNLIMITED ? "not paced" : megabytes(rate));
  }

  private static int due(Script.Command command) {
    return command.number("due", command.number("max", 4));
  }

  private static double rate(Script.Command command, WriteControl.L0 l0) {
    WriteControl pace =
        WriteControl.Pace.of(
            command.number("max", 4), command.number("stop", 12), command.number("stopRatio", 3));
    String relief = command.option("relief", "");
    double measured = relief.isEmpty() ? WriteControl.UNLIMITED : Double.parseDouble(relief);
    return pace.bytesPerSecond(l0, measured);
  }

  private static String megabytes(double rate) {
    return String.format(Locale.ROOT, "%.1f MB/s", rate / 1e6);
  }

  /** Changes of L0 in lines such as {@code 2s L0=300 due paced written=100}. */
  private static String relief(List<String> lines) {
    Relief relief = new Relief(0);
    for (String line : lines) {
      List<String> words = List.of(line.split(" +"));
      var change = new Script.Command(words.get(0), words.subList(1, words.size()), List.of());
      relief.note(
          change.number("L0", 0),
          words.contains("due"),
          change.number("written", 0),
          Units.parseNanos(change.verb()));
      relief.count(words.contains("paced"));
    }
    double rate = relief.bytesPerSecond();
    String shown =
        rate == WriteControl.UNLIMITED
            ? "not known"
            : String.format(Locale.ROOT, "%.1f bytes/s", rate);
    return shown + String.format(Locale.ROOT, ", %.2f bytes of L0 a byte", relief.ratio());
  }

  /**
   * The rates as flushes go on, in lines such as {@code 1s flushing consumed=10 left=90 free=50}.
   */
  private static String flushes(Script.Command command) {
    FlushRelief relief = new FlushRelief();
    StringJoiner out = new StringJoiner("\n");
    for (String line : command.lines()) {
      List<String> words = List.of(line.split(" +"));
      var now = new Script.Command(words.get(0), words.subList(1, words.size()), List.of());
      relief.note(
          words.contains("flushing"), now.number("consumed", 0), Units.parseNanos(now.verb()));
      int free = now.number("free", 0);
      int left = now.number("left", 0) + command.number("end", 0);
      double rate = relief.bytesPerSecond(free, left);
      String shown =
          rate == WriteControl.UNLIMITED
              ? "open"
              : String.format(Locale.ROOT, "%.0f bytes/s", rate);
      out.add(now.verb() + ": " + shown + (relief.isLate(free, left) ? ", late" : ""));
    }
    return out.toString();
  }
}
