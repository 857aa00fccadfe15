package org.loam.common.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The YAML form of a configuration: one document, the dots of names as nesting. */
final class ConfigYaml {
  private static final YAMLMapper MAPPER =
      YAMLMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .build();

  private ConfigYaml() {}

  /**
   * Fills a builder; returns what is wrong with the text.
   *
   * @throws ConfigException if it is no YAML at all
   * @throws UncheckedIOException if the reader fails
   */
  static List<String> read(Reader yaml, EngineConfigBuilder into) {
    JsonNode root;
    try {
      // Apart, because the parser reports a failing reader as bad text.
      StringWriter text = new StringWriter();
      yaml.transferTo(text);
      root = MAPPER.readTree(text.toString());
    } catch (JacksonException e) {
      var at = e.getLocation();
      String where = at == null ? "" : ", line " + at.getLineNr() + " column " + at.getColumnNr();
      throw new ConfigException(List.of("not readable as YAML" + where + ": " + reason(e)));
    } catch (IOException e) {
      throw new UncheckedIOException("reading the configuration", e);
    }
    List<String> problems = new ArrayList<>();
    if (!isNothing(root)) {
      readGroup("", root, into, problems);
    }
    return problems;
  }

  private static void readGroup(
      String path, JsonNode group, EngineConfigBuilder into, List<String> problems) {
    if (!group.isObject()) {
      String name = path.isEmpty() ? "the configuration" : path;
      problems.add(name + ": '" + group.asText() + "', must be a group of settings");
      return;
    }
    for (Map.Entry<String, JsonNode> entry : group.properties()) {
      String name = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
      Optional<Setting<?>> setting = Settings.find(name);
      if (setting.isPresent()) {
        String problem = setting.get().read(entry.getValue(), into);
        if (problem != null) {
          problems.add(problem);
        }
      } else if (Settings.isGroup(name)) {
        // A group whose lines are all commented out has no value.
        if (!entry.getValue().isNull()) {
          readGroup(name, entry.getValue(), into, problems);
        }
      } else {
        problems.add(Settings.unknown(name));
      }
    }
  }

  /**
   * Puts one value into a builder; returns what is wrong with its form, null if nothing is.
   *
   * @param value as it would stand behind the name of the setting
   */
  static @Nullable String readValue(Setting<?> setting, String value, EngineConfigBuilder into) {
    try {
      return setting.read(MAPPER.readTree(value), into);
    } catch (JacksonException e) {
      return setting.name() + ": '" + value + "' is not readable as YAML: " + reason(e);
    }
  }

  /** What the parser says, without its drawings of the place, which are lines that are indented. */
  private static String reason(JacksonException e) {
    return String.valueOf(e.getOriginalMessage())
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith(" "))
        .collect(Collectors.joining(", "));
  }

  static String write(EngineConfig config) {
    Map<String, Object> root = new LinkedHashMap<>();
    Map<String, Map<String, Object>> groups = new LinkedHashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      Object value = setting.write(config);
      if (value == null) {
        continue;
      }
      int dot = setting.name().indexOf('.');
      if (dot < 0) {
        root.put(setting.name(), value);
      } else {
        String group = setting.name().substring(0, dot);
        Map<String, Object> members = groups.computeIfAbsent(group, g -> new LinkedHashMap<>());
        root.put(group, members);
        members.put(setting.name().substring(dot + 1), value);
      }
    }
    try {
      return MAPPER.writeValueAsString(root);
    } catch (JacksonException e) {
      throw new AssertionError("a map of plain values must be writable", e);
    }
  }

  /** An empty text, or one of comments only. */
  private static boolean isNothing(JsonNode root) {
    return root == null || root.isMissingNode() || root.isNull();
  }
}
