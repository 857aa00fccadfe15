package org.loam.workbench.asterixdb.install;

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

  /** What a section itself says. */
  Optional<String> own(String section, String option) {
    return Optional.ofNullable(sections.getOrDefault(section, Map.of()).get(option));
  }

  /** What counts for a node: what its section says, or else that of all nodes. */
  Optional<String> of(String node, String option) {
    return own(node, option).or(() -> own(NODES, option));
  }
}
