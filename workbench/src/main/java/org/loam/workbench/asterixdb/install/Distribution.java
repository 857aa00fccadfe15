package org.loam.workbench.asterixdb.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.loam.workbench.asterixdb.cluster.Artifacts;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.WholeFile;

/** An unpacked distribution of AsterixDB. Loam adds files to it and changes none of AsterixDB's. */
final class Distribution {
  private static final String JAR = "loam-asterixdb.jar";

  /** The jar whose name has AsterixDB's version. */
  private static final Pattern APPLICATION = Pattern.compile("asterix-app-(.+)\\.jar");

  private static final Pattern ANY_LOAM = Pattern.compile("loam.*\\.jar");

  /** What was done about a file. */
  enum Change {
    INSTALLED("installed"),
    REPLACED("replaced"),
    PRESENT("already there");

    private final String text;

    Change(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /**
   * A file of Loam's.
   *
   * @param file relative to the distribution
   */
  record Installed(String file, Change change) {}

  private final Path root;

  private Distribution(Path root) {
    this.root = root;
  }

  /**
   * The distribution in a directory.
   *
   * @throws CommandException if there is none, or it is another version than Loam works with
   */
  static Distribution in(Path directory) {
    Path root = directory.toAbsolutePath().normalize();
    try {
      for (Script script : Script.values()) {
        if (!Files.isRegularFile(root.resolve(script.stock()))) {
          throw noDistribution(root, script.stock());
        }
      }
      List<String> versions = versions(root);
      if (versions.isEmpty()) {
        throw noDistribution(root, "repo/asterix-app-" + Artifacts.VERSION + ".jar");
      }
      if (!versions.equals(List.of(Artifacts.VERSION))) {
        throw CommandException.usage(
            root
                + " has AsterixDB "
                + String.join(" and ", versions)
                + "; Loam works with AsterixDB "
                + Artifacts.VERSION
                + " only");
      }
    } catch (IOException e) {
      throw CommandException.environment("cannot read " + root + ": " + e, e);
    }
    return new Distribution(root);
  }

  private static CommandException noDistribution(Path root, String missing) {
    String name = "apache-asterixdb-" + Artifacts.VERSION;
    return CommandException.usage(
        root
            + " is no unpacked distribution of AsterixDB: there is no "
            + missing
            + "; name the directory "
            + name
            + " that asterix-server-"
            + Artifacts.VERSION
            + "-binary-assembly.zip has");
  }

  private static List<String> versions(Path root) throws IOException {
    return jars(root).stream()
        .map(APPLICATION::matcher)
        .filter(Matcher::matches)
        .map(application -> application.group(1))
        .sorted()
        .toList();
  }

  private static List<String> jars(Path root) throws IOException {
    Path repo = root.resolve("repo");
    if (!Files.isDirectory(repo)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(repo)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }

  Path root() {
    return root;
  }

  /**
   * Adds Loam, or replaces another version of it. Nodes that run keep the files that they have
   * open.
   *
   * @param jar for the class path of nodes
   * @throws CommandException if a script is not as AsterixDB released it, another jar of Loam's is
   *     on the class path, or a file cannot be written
   */
  List<Installed> install(Path jar) {
    try {
      for (String other : jars(root)) {
        if (ANY_LOAM.matcher(other).matches() && !other.equals(JAR)) {
          throw CommandException.usage(
              root.resolve("repo").resolve(other) + " has Loam, too; remove it");
        }
      }
      // All that may be refused comes before the first change.
      Map<Script, String> texts = new EnumMap<>(Script.class);
      for (Script script : Script.values()) {
        String stock = Files.readString(root.resolve(script.stock()));
        texts.put(script, script.derive(stock).orElseThrow(() -> changed(script)));
      }
      List<Installed> installed = new ArrayList<>();
      Path repo = root.resolve("repo");
      installed.add(install(repo.resolve(JAR), Files.readAllBytes(jar), Access.ofFileIn(repo)));
      for (Map.Entry<Script, String> text : texts.entrySet()) {
        Script script = text.getKey();
        byte[] content = text.getValue().getBytes(StandardCharsets.UTF_8);
        Access access = Access.of(root.resolve(script.stock()));
        installed.add(install(root.resolve(script.own()), content, access));
      }
      return installed;
    } catch (IOException e) {
      throw CommandException.environment("cannot install into " + root + ": " + e, e);
    }
  }

  private CommandException changed(Script script) {
    return CommandException.usage(
        root.resolve(script.stock())
            + " is not as AsterixDB "
            + Artifacts.VERSION
            + " has it: Loam's script is made from it, and needs its one '"
            + script.stockArgument()
            + "'");
  }

  private Installed install(Path file, byte[] content, Access access) throws IOException {
    String name = root.relativize(file).toString();
    boolean exists = Files.exists(file);
    if (exists
        && Arrays.equals(Files.readAllBytes(file), content)
        && Access.of(file).equals(access)) {
      return new Installed(name, Change.PRESENT);
    }
    WholeFile.write(file, content, access::give);
    return new Installed(name, exists ? Change.REPLACED : Change.INSTALLED);
  }
}
