package org.loam.lsm.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.lsm.memory.MemoryLeveling.Pipeline;
import org.loam.lsm.memory.MemoryLeveling.Run;

/** Which runs of a pipeline are merged. */
class PipelineScriptTest implements Script.Interpreter {
  private final List<Sketch> runs = new ArrayList<>();

  /** A run of which nothing else counts. */
  private record Sketch(String name, boolean isFlat) implements Run {
    @Override
    public KeySpan keys() {
      return KeySpan.ALL;
    }

    @Override
    public long bytes() {
      return 1;
    }

    @Override
    public long minLsn() {
      return 0;
    }

    @Override
    public boolean isBegun() {
      return false;
    }
  }

  @TestFactory
  Stream<DynamicTest> pipeline() {
    return Script.tests("pipeline", PipelineScriptTest::new);
  }

  @Override
  public String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "runs" -> runs(command);
      case "merge" -> merge(command);
      default -> throw command.unknown();
    };
  }

  /** Lines such as {@code c} or {@code b flat}, newest first. */
  private String runs(Script.Command command) {
    runs.clear();
    for (String line : command.lines()) {
      String[] words = line.split(" +", -1);
      runs.add(new Sketch(words[0], words.length > 1));
    }
    return runs.size() + " runs";
  }

  private String merge(Script.Command command) {
    List<Sketch> next = MemoryPipeline.next(runs, new Pipeline(command.number("most", 2), false));
    return switch (next.size()) {
      case 0 -> "nothing to merge";
      case 1 -> "flatten " + next.get(0).name();
      default -> "merge " + next.stream().map(Sketch::name).collect(Collectors.joining(" "));
    };
  }
}
