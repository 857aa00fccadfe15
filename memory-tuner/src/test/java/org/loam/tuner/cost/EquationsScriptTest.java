package org.loam.tuner.cost;

import static org.loam.tuner.cost.SampleText.bytes;
import static org.loam.tuner.cost.SampleText.shown;

import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.script.Script;
import org.loam.common.script.Script.Command;
import org.loam.tuner.cost.PaperEquations.Slope;

/** The equations of MemoryWalls, with examples that were computed by hand. */
class EquationsScriptTest {
  /** A miss of 76 µs and 4 ns a byte, and streams of 2 ns a byte. */
  private static final CostModel ASSUMED =
      new CostModel(
          CostModel.Unit.NANOS,
          new CostModel.Line(76_000, 4),
          new CostModel.Line(100_000, 2),
          new CostModel.Line(100_000, 2),
          1 << 20);

  private CycleSample sample;
  private MeasuredCosts measured = MeasuredCosts.of(ASSUMED);

  @TestFactory
  Stream<DynamicTest> equations() {
    return Script.tests("equations", () -> new EquationsScriptTest()::interpret);
  }

  private String interpret(Command command) {
    return switch (command.verb()) {
      case "tree" -> tree(command);
      case "term" -> term(command);
      case "sample" -> sample(command);
      case "measure" -> measure();
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
            number(command, "elasticity", 1),
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

  /** Takes the times of the sample. */
  private String measure() {
    measured = measured.plus(sample);
    return new TreeMap<>(measured.numbers())
        .entrySet().stream()
            .map(scale -> scale.getKey() + " " + shown(scale.getValue()))
            .collect(Collectors.joining("\n"));
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
        PaperEquations.slope(
            sample, model(command), elasticity(command), tree -> tree.flushed().memoryFraction());
    return String.join(
        "\n",
        List.of(
            "write " + shown(slope.write()),
            "saved reads " + shown(slope.savedReads()),
            "merge reads " + shown(slope.mergeReads()),
            "cost " + shown(slope.weighted(weights(command)))));
  }

  /** By the logarithm of the paper, or by the levels of the engine. */
  private PaperEquations.Elasticity elasticity(Command command) {
    return switch (command.option("levels", "paper")) {
      case "paper" -> PaperEquations::logarithm;
      default -> MergeCosts.unknown(EngineLevels::sizes).plus(sample)::elasticity;
    };
  }

  /** Pages, or nanoseconds as assumed, or as measured. */
  private CostModel model(Command command) {
    return switch (command.option("unit", "pages")) {
      case "pages" -> CostModel.pages(sample.memory().pageBytes());
      case "measured" -> measured.model();
      default -> ASSUMED;
    };
  }

  private static Weights weights(Command command) {
    return new Weights(number(command, "writes", 1), number(command, "reads", 1));
  }

  private static double number(Command command, String name, double otherwise) {
    return Double.parseDouble(command.option(name, Double.toString(otherwise)));
  }
}
