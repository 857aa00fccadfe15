package org.loam.common.config;

import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.loam.common.script.Script;

/** Which settings are accepted, at open and while an engine runs, and what the others are told. */
@Tag("once")
class SettingsScriptTest {
  private static final String TOTAL = "memory: {total: 1GiB}\n";

  @TestFactory
  Stream<DynamicTest> settings() {
    return Script.tests("settings", () -> SettingsScriptTest::interpret);
  }

  private static String interpret(Script.Command command) {
    return switch (command.verb()) {
      case "each" -> each(command.lines(), SettingsScriptTest::read);
      case "all" -> read(String.join("\n", command.lines()));
      case "change" -> each(command.lines(), SettingsScriptTest::change);
      default -> throw command.unknown();
    };
  }

  private static String each(List<String> lines, Function<String, String> answer) {
    StringJoiner out = new StringJoiner("\n");
    lines.forEach(line -> out.add(answer.apply(line)));
    return out.toString();
  }

  /** The problems of a configuration, or what differs from the defaults; 1 GiB unless it says. */
  private static String read(String yaml) {
    String whole = yaml.contains("memory:") ? yaml : TOTAL + yaml;
    try {
      return "accepted" + differences(EngineConfig.fromYaml(whole), EngineConfig.fromYaml(TOTAL));
    } catch (ConfigException e) {
      return String.join("\n", e.problems());
    }
  }

  private static String change(String line) {
    String[] parts = line.split(" *= *", 2);
    EngineConfig config = EngineConfig.fromYaml(TOTAL);
    try {
      return "accepted" + differences(config.changed(parts[0], parts[1]), config);
    } catch (ConfigException e) {
      return e.getMessage();
    }
  }

  private static String differences(EngineConfig config, EngineConfig other) {
    StringJoiner out = new StringJoiner(", ", ": ", "");
    out.setEmptyValue("");
    for (Setting<?> setting : Settings.ALL) {
      String text = setting.textOf(config);
      if (!text.equals(setting.textOf(other))) {
        out.add(setting.name() + " " + text);
      }
    }
    return out.toString();
  }
}
