package org.loam.workbench.asterixdb.install;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.loam.common.config.NearestName;

/**
 * What a configuration of AsterixDB lacks for its nodes to run on Loam.
 *
 * @param problems what keeps nodes from Loam, or from starting; none if the configuration is right
 * @param notes what an operator should know beside that
 */
record ConfigurationCheck(List<String> problems, List<String> notes) {
  private static final String COMMAND = "command";
  private static final String APPLICATION = "app.class";
  private static final String METADATA = "loam.metadata";
  private static final List<String> OPTIONS = List.of("loam.memory", "loam.settings", METADATA);
  private static final String OURS = "org.loam.";

  /**
   * Looks at a configuration.
   *
   * @param machineBytes the memory of the machine that this command runs on
   */
  static ConfigurationCheck of(IniFile configuration, long machineBytes) {
    ConfigurationCheck check = new ConfigurationCheck(new ArrayList<>(), new ArrayList<>());
    for (String option : configuration.repeated()) {
      check.problems.add(option + " is there twice, which AsterixDB refuses");
    }
    check.commands(configuration);
    check.applications(configuration);
    check.heaps(configuration);
    check.options(configuration);
    new MemoryCheck(configuration, machineBytes, check).run();
    if (Boolean.parseBoolean(configuration.own("common", "replication.enabled").orElse(""))) {
      check.problems.add(
          "[common] replication.enabled=true: indexes in Loam are not replicated, and nodes on Loam"
              + " refuse to start with it");
    }
    return check;
  }

  private void commands(IniFile configuration) {
    boolean inherited = configuration.nodes().isEmpty();
    for (String node : configuration.nodes()) {
      if (isStartedByHand(configuration, node)) {
        notes.add("[" + node + "] has no NCService: start it with " + Script.NODE.own());
      } else if (configuration.own(node, COMMAND).isPresent()) {
        command(node, configuration.own(node, COMMAND).get());
      } else {
        inherited = true;
      }
    }
    if (inherited) {
      command(IniFile.NODES, configuration.own(IniFile.NODES, COMMAND).orElse(null));
    }
  }

  private static boolean isStartedByHand(IniFile configuration, String node) {
    return configuration.of(node, "ncservice.port").equals(Optional.of("-1"));
  }

  private void command(String section, @Nullable String command) {
    String wanted = Script.NODE.command();
    if (!wanted.equals(command)) {
      problems.add(
          "["
              + section
              + "] "
              + (command == null ? "has no command" : "command=" + command)
              + ": NCService would start nodes without Loam, and they would keep their data in"
              + " AsterixDB's own storage; write command="
              + wanted);
    }
  }

  /** The scripts name Loam's application, so that any other has no effect. */
  private void applications(IniFile configuration) {
    for (String section : configuration.sections().keySet()) {
      String application = configuration.own(section, APPLICATION).orElse(OURS);
      if (!application.startsWith(OURS)) {
        problems.add(
            "["
                + section
                + "] app.class="
                + application
                + " contradicts Loam's scripts, which run Loam's application; remove it");
      }
    }
  }

  private void options(IniFile configuration) {
    configuration
        .sections()
        .forEach(
            (section, options) ->
                options.forEach(
                    (name, value) -> {
                      String option = "[" + section + "] " + name;
                      if (name.startsWith("loam.") && !OPTIONS.contains(name)) {
                        problems.add(
                            option + ": no such option" + NearestName.question(name, OPTIONS, ""));
                      } else if (OPTIONS.contains(name) && !IniFile.isOfNodes(section)) {
                        problems.add(
                            option
                                + ": an option of nodes; move it to [nc], or to [nc/NAME] of one");
                      } else if (name.equals(METADATA) && !value.matches("(?i)true|false")) {
                        problems.add(option + ": " + value + ", must be true or false");
                      }
                    }));
  }

  private void heaps(IniFile configuration) {
    List<String> without =
        configuration.nodes().stream()
            .filter(node -> !isStartedByHand(configuration, node))
            .filter(node -> !configuration.of(node, "jvm.args").orElse("").contains("-Xmx"))
            .toList();
    if (!without.isEmpty()) {
      notes.add(
          "no -Xmx in jvm.args of ["
              + String.join("], [", without)
              + "]: unless JAVA_OPTS of NCService has one, each gets a heap of 60 % of the"
              + " machine's memory, and loam.memory comes on top");
    }
  }
}
