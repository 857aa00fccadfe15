package org.loam.scheduler.merge;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;

/** Guards are as fine as the data allows, and stay while it does not outgrow them. */
class GuardsScriptTest {
  private static final Guards.Fineness FINENESS = new Guards.Fineness(100, 10);

  private Guards guards = Guards.NONE;

  @TestFactory
  Stream<DynamicTest> guards() {
    return Script.tests("guards", () -> new GuardsScriptTest()::interpret);
  }

  private String interpret(Script.Command command) {
    return command.verb().equals("flush") ? flush(command) : fitted(command);
  }

  /** A flush whose keys are below 100. */
  private String flush(Script.Command command) {
    TreeShape shape =
        TreeShape.of(1, List.of(), List.of(), List.of(), command.number("memory", 1000));
    Guards before = guards;
    guards =
        guards.orOfFlush(
            shape,
            command.number("bytes", 0),
            FINENESS,
            pieces -> IntStream.range(1, pieces).mapToObj(i -> key(i * 100 / pieces)).toList());
    return before == guards ? "as before" : text();
  }

  private static byte[] key(int number) {
    return String.format("%03d", number).getBytes(UTF_8);
  }

  /**
   * The guards of a last level, made anew or from those before. Table i has the one key i, and the
   * i-th of the sizes given.
   */
  private String fitted(Script.Command command) {
    Guards before =
        switch (command.verb()) {
          case "first" -> Guards.NONE;
          case "next" -> guards;
          default -> throw command.unknown();
        };
    List<Component> tables = new ArrayList<>();
    for (String size : sizes(command.lines())) {
      byte[] key = key(tables.size());
      tables.add(new Component(tables.size(), Long.parseLong(size), new KeyRange(key, key)));
    }
    Level last = new Level(Level.LAST, tables, new byte[0]);
    TreeShape shape =
        TreeShape.of(1, List.of(), List.of(last), List.of(), command.number("memory", 1000));
    guards = before.fitted(shape, FINENESS, bounds(command));
    return before == guards && command.verb().equals("next") ? "as before" : text();
  }

  /** The ranges of write memory begin at the keys given. */
  private static List<byte[]> bounds(Script.Command command) {
    return command.options().stream()
        .filter(option -> !option.contains("="))
        .map(key -> key.getBytes(UTF_8))
        .toList();
  }

  private static List<String> sizes(List<String> lines) {
    return lines.isEmpty() ? List.of() : List.of(String.join(" ", lines).split(" +", -1));
  }

  private String text() {
    return guards.keys().isEmpty()
        ? "none"
        : guards.keys().stream().map(k -> new String(k, UTF_8)).collect(Collectors.joining(" "));
  }
}
