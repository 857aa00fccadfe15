package org.loam.tuner.cost;

import static org.loam.tuner.cost.SampleText.bytes;
import static org.loam.tuner.cost.SampleText.shown;

import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.script.Script;
import org.loam.common.script.Script.Command;
import org.loam.tuner.cost.PaperEquations.Slope;

/** The equations of MemoryWalls, with examples that were computed by hand. */
class EquationsScriptTest {
  private CycleSample sample;

  @TestFactory
  Stream<DynamicTest> equations() {
    return Script.tests("equations", () -> new EquationsScriptTest()::interpret);
  }

  private String interpret(Command command) {
    return switch (command.verb()) {
      case "tree" -> tree(command);
      case "term" -> term(command);
      case "sample" -> sample(command);
      case "cost" -> cost(command);
      case "slope" -> slope(command);
      default -> throw command.unknown();
    };
  }

  /** Equations 1 and 3 of one tree, for one entry written in each operation. */
  private static String tree(Command command) {
    var tree =
        new PaperEquations.Tree(
            number(command, "entry", 1),
            number(command, "T", 10),
            bytes(command, "last", "100GiB"),
            number(command, "share", 1));
    StringJoiner out = new StringJoiner("\n");
    for (String x : command.lines()) {
      double size = Units.parseBytes(x);
      out.add(x + ": " + shown(tree.writeCost(size)) + " slope " + shown(tree.writeSlope(size)));
    }
    return out.toString();
  }

  /** A term of equation 5. */
  private static String term(Command command) {
    return shown(
        PaperEquations.treeSlope(
            number(command, "merge", 1),
            number(command, "x", 1),
            number(command, "ratio", 1),
            number(command, "factor", 1)));
  }

  private String sample(Command command) {
    try {
      sample = SampleText.parse(command);
      return "moved " + sample.movedBytes() + " bytes";
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  private String cost(Command command) {
    CycleCost cost = CycleCost.of(sample, model(command));
    return String.join(
        "\n",
        List.of(
            "flushes " + shown(cost.flushes()),
            "merge writes " + shown(cost.mergeWrites()),
            "merge reads " + shown(cost.mergeReads()),
            "misses " + shown(cost.misses()),
            "weighted " + shown(cost.weighted(weights(command)))));
  }

  private String slope(Command command) {
    Slope slope =
        PaperEquations.slope(sample, model(command), tree -> tree.flushed().memoryFraction());
    return String.join(
        "\n",
        List.of(
            "write " + shown(slope.write()),
            "saved reads " + shown(slope.savedReads()),
            "merge reads " + shown(slope.mergeReads()),
            "cost " + shown(slope.weighted(weights(command)))));
  }

  /** Pages, or nanoseconds with a miss of 76 µs and 4 ns a byte, and streams of 2 ns a byte. */
  private CostModel model(Command command) {
    if (command.option("unit", "pages").equals("pages")) {
      return CostModel.pages(sample.memory().pageBytes());
    }
    CostModel.Line stream = new CostModel.Line(100_000, 2);
    return new CostModel(
        CostModel.Unit.NANOS, new CostModel.Line(76_000, 4), stream, stream, 1 << 20);
  }

  private static Weights weights(Command command) {
    return new Weights(number(command, "writes", 1), number(command, "reads", 1));
  }

  private static double number(Command command, String name, double otherwise) {
    return Double.parseDouble(command.option(name, Double.toString(otherwise)));
  }
}
