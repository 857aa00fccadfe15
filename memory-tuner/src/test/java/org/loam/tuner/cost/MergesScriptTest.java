package org.loam.tuner.cost;

import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.config.Units;
import org.loam.common.script.Script;
import org.loam.common.script.Script.Command;

/** What merges write for a byte flushed, with examples that were computed by hand. */
class MergesScriptTest {
  private MergeCosts merges = MergeCosts.unknown(EngineLevels::sizes);
  private CycleSample sample;

  @TestFactory
  Stream<DynamicTest> merges() {
    return Script.tests("merges", () -> new MergesScriptTest()::interpret);
  }

  private String interpret(Command command) {
    return switch (command.verb()) {
      case "shape" -> shape(command);
      case "sample" -> sample(command);
      case "merged" -> merged(command);
      case "elasticity" -> elasticity(command);
      default -> throw command.unknown();
    };
  }

  /** By the levels alone, with each of some memories. */
  private static String shape(Command command) {
    TreeSample.Levels levels = SampleText.levels(command);
    double newPart = Double.parseDouble(command.option("new", "0"));
    StringJoiner out = new StringJoiner("\n");
    for (String memory : command.lines()) {
      MergeShape shape =
          MergeShape.of(EngineLevels::sizes, levels, (double) Units.parseBytes(memory), newPart);
      out.add(
          String.format(
              Locale.ROOT,
              "%s: levels %d, ratio %.3f, merged %.3f",
              memory,
              shape.sizes().count(),
              shape.sizes().ratio(),
              shape.perFlushedByte()));
    }
    return out.toString();
  }

  private String sample(Command command) {
    sample = SampleText.parse(command);
    merges = merges.plus(sample);
    return "";
  }

  /** What was measured, from the memory that the tree has to each of some others. */
  private String merged(Command command) {
    TreeSample tree = tree(command);
    double present = tree.share() * sample.memory().writeBytes();
    return each(command, memory -> merges.perFlushedByte(tree, memory, present));
  }

  private String elasticity(Command command) {
    TreeSample tree = tree(command);
    return each(command, memory -> merges.elasticity(tree, memory));
  }

  private TreeSample tree(Command command) {
    int id = Integer.parseInt(command.options().get(0));
    return sample.trees().stream().filter(t -> t.treeId() == id).findFirst().orElseThrow();
  }

  private static String each(Command command, ToDoubleFunction<Double> value) {
    StringJoiner out = new StringJoiner("\n");
    for (String memory : command.lines()) {
      double bytes = (double) Units.parseBytes(memory);
      out.add(String.format(Locale.ROOT, "%s: %.3f", memory, value.applyAsDouble(bytes)));
    }
    return out.toString();
  }
}
