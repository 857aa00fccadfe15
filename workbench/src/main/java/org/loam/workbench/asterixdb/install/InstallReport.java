package org.loam.workbench.asterixdb.install;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What was installed, and what an operator has to do.
 *
 * @param configuration lines for the configuration file
 * @param checked the configuration file that was looked at; null if none was named
 * @param check what it lacks; null if none was named
 */
record InstallReport(
    String directory,
    List<Distribution.Installed> files,
    List<String> configuration,
    @Nullable String checked,
    @Nullable ConfigurationCheck check) {

  boolean isRight() {
    return check == null || check.problems().isEmpty();
  }

  String text() {
    StringJoiner lines = new StringJoiner(System.lineSeparator(), "", System.lineSeparator());
    lines.add("Loam in " + directory);
    for (Distribution.Installed file : files) {
      lines.add(String.format(Locale.ROOT, "  %-24s %s", file.file(), file.change().text()));
    }
    if (check == null || !isRight()) {
      lines.add("").add("The configuration needs:").add("");
      configuration.forEach(line -> lines.add("    " + line));
    }
    if (check != null) {
      lines.add("").add(checked + (isRight() ? ": right" : ": not right"));
      check.problems().forEach(problem -> lines.add("  problem: " + problem));
      check.notes().forEach(note -> lines.add("  note: " + note));
    }
    lines
        .add("")
        .add("Start the cluster controller with " + Script.CLUSTER.own() + " instead of asterixcc.")
        .add("Install Loam on every machine of the cluster; its JVMs must be Java 17 or newer.");
    return lines.toString();
  }
}
