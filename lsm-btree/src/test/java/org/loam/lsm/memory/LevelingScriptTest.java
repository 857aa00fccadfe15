package org.loam.lsm.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;
import org.loam.lsm.memory.MemoryLeveling.Run;
import org.loam.lsm.memory.MemoryLeveling.Shape;
import org.loam.lsm.memory.MemoryLeveling.Sizes;
import org.loam.lsm.memory.MemoryLeveling.Step;

/** Which runs of a partitioned memory component are merged, and which are flushed. */
class LevelingScriptTest implements Script.Interpreter {
  private final List<Sketch> waiting = new ArrayList<>();
  private final List<List<Sketch>> levels = new ArrayList<>();

  /** A run without a component. */
  private record Sketch(String name, KeySpan keys, long bytes, long minLsn, boolean isBegun)
      implements Run {
    @Override
    public boolean isFlat() {
      return true;
    }

    /** Text such as {@code r1[a..f] 12 lsn=5 begun}. */
    static Sketch of(String text) {
      String[] words = text.split(" +", -1);
      String[] head = words[0].split("[\\[\\]]|\\.\\.", -1);
      long lsn = 0;
      boolean isBegun = false;
      for (String word : words) {
        lsn = word.startsWith("lsn=") ? Long.parseLong(word.substring(4)) : lsn;
        isBegun |= word.equals("begun");
      }
      KeySpan keys = KeySpan.closed(head[1].getBytes(UTF_8), head[2].getBytes(UTF_8));
      return new Sketch(head[0], keys, Long.parseLong(words[1]), lsn, isBegun);
    }
  }

  @TestFactory
  Stream<DynamicTest> levels() {
    return Script.tests("levels", LevelingScriptTest::new);
  }

  @Override
  public String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "shape" -> shape(command);
      case "merge" -> merge(command);
      case "memory" -> names(MemoryLeveling.flushOrder(now(), key(command.option("after", ""))));
      case "log" -> log();
      default -> throw command.unknown();
    };
  }

  /** Lines such as {@code waiting: r1[a..f] 12, r2[b..z] 9}, or with {@code M1} and so on. */
  private String shape(Script.Command command) {
    waiting.clear();
    levels.clear();
    for (String line : command.lines()) {
      String[] parts = line.split(": ", -1);
      List<Sketch> runs = Stream.of(parts[1].split(", ", -1)).map(Sketch::of).toList();
      if (parts[0].equals("waiting")) {
        waiting.addAll(runs);
      } else {
        levels.add(runs);
      }
    }
    return now().all().size() + " runs";
  }

  private Shape<Sketch> now() {
    return new Shape<>(waiting, levels);
  }

  private String merge(Script.Command command) {
    Sizes sizes =
        new Sizes(command.number("active", 10), command.number("run", 10), command.number("T", 10));
    Step<Sketch> step = MemoryLeveling.next(now(), sizes);
    if (step == null) {
      return "nothing to merge";
    }
    byte[] end = step.end();
    return (step.isMove() ? "move " : "merge ")
        + step.upper().name()
        + (end == null ? "" : " up to " + new String(end, UTF_8))
        + (step.lower().isEmpty() ? "" : " with " + names(step.lower()))
        + (step.addsLevel() ? " into a new M1" : " into M" + (step.fromLevel() + 1));
  }

  private String log() {
    List<Sketch> all = now().all();
    Sketch oldest = all.stream().min((a, b) -> Long.compare(a.minLsn(), b.minLsn())).orElseThrow();
    List<Sketch> leaving = MemoryLeveling.withOlder(now(), List.of(oldest));
    return MemoryLeveling.groups(leaving).stream()
        .map(LevelingScriptTest::names)
        .collect(Collectors.joining(" | "));
  }

  private static byte @Nullable [] key(String text) {
    return text.isEmpty() ? null : text.getBytes(UTF_8);
  }

  private static String names(List<Sketch> runs) {
    return runs.stream().map(Sketch::name).collect(Collectors.joining(" "));
  }
}
