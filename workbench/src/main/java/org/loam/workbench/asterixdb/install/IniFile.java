package org.loam.workbench.asterixdb.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A configuration of AsterixDB, as far as Loam looks at it. A section may be continued further
 * below.
 *
 * @param sections options by section, in the order of the file
 * @param repeated options that a section has twice, which AsterixDB refuses
 */
record IniFile(Map<String, Map<String, String>> sections, List<String> repeated) {
  private static final Pattern SECTION = Pattern.compile("\\[([^]]*)].*");
  private static final Pattern OPTION = Pattern.compile("([^;#=:\\[][^=:]*?)\\s*[=:]\\s*(.*)");

  /** Of all nodes. */
  static final String NODES = "nc";

  private static final String NODE = NODES + "/";

  /** Some editors put it at the begin of a file. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  /** Reads a file as AsterixDB does, in UTF-8; bytes that are not stand for characters, too. */
  static IniFile read(Path file) throws IOException {
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    int start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
    return of(text.substring(start).lines().toList());
  }

  static IniFile of(List<String> lines) {
    Map<String, Map<String, String>> sections = new LinkedHashMap<>();
    List<String> repeated = new ArrayList<>();
    String name = "";
    for (String line : lines) {
      Matcher section = SECTION.matcher(line.strip());
      Matcher option = OPTION.matcher(line.strip());
      if (section.matches()) {
        name = section.group(1).strip();
        sections.putIfAbsent(name, new LinkedHashMap<>());
      } else if (option.matches()) {
        Map<String, String> options = sections.computeIfAbsent(name, key -> new LinkedHashMap<>());
        if (options.put(option.group(1), option.group(2)) != null) {
          repeated.add("[" + name + "] " + option.group(1));
        }
      }
    }
    return new IniFile(sections, repeated);
  }

  /** The sections of single nodes, such as {@code nc/red}. */
  List<String> nodes() {
    return sections.keySet().stream().filter(name -> name.startsWith(NODE)).toList();
  }

  /** Whether a section is that of all nodes, or of a single one. */
  static boolean isOfNodes(String section) {
    return section.equals(NODES) || section.startsWith(NODE);
  }

  /** What a section itself says. */
  Optional<String> own(String section, String option) {
    return Optional.ofNullable(sections.getOrDefault(section, Map.of()).get(option));
  }

  /** What counts for a node: what its section says, or else that of all nodes. */
  Optional<String> of(String node, String option) {
    return own(node, option).or(() -> own(NODES, option));
  }
}
