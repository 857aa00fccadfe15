package org.loam.workbench.asterixdb.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.WholeFile;

/**
 * Where the files of a cluster are; all of them below one directory.
 *
 * @param directory absolute, without symbolic links: processes of nodes are known by it
 */
record ClusterFiles(Path directory) {
  /** How the names of I/O devices begin; the first has no number. */
  static final String DEVICE = "data";

  /** What AsterixDB's configuration file or a list in it would read as something else. */
  private static final Pattern SPECIAL = Pattern.compile("[,;#\\\\\\n]");

  ClusterFiles {
    directory = real(directory.toAbsolutePath().normalize());
    if (SPECIAL.matcher(directory.toString()).find()) {
      throw CommandException.usage(
          "directory "
              + directory
              + " has a character that AsterixDB's configuration cannot have: one of , ; # \\;"
              + " name another with --directory");
    }
  }

  /** The same place by its one name, whether it is there or not. */
  private static Path real(Path path) {
    try {
      for (Path known = path; known != null; known = known.getParent()) {
        if (Files.exists(known)) {
          return known.toRealPath().resolve(known.relativize(path));
        }
      }
      return path;
    } catch (IOException e) {
      throw CommandException.environment("cannot reach directory " + path + ": " + e, e);
    }
  }

  /** The configuration of all nodes, as AsterixDB reads it. */
  Path configuration() {
    return directory.resolve("cc.conf");
  }

  /** A command that changes what runs holds a lock on it. */
  Path lock() {
    return directory.resolve("lock");
  }

  Path logs() {
    return directory.resolve("logs");
  }

  /** What the node logs. */
  Path log(Node node) {
    return logs().resolve(node.logName());
  }

  /** What the node says before it has a log, and what its JVM says at any time. */
  Path output(Node node) {
    return logs().resolve(node.id() + ".out");
  }

  /** Data of the node, and where it runs. */
  Path home(Node node) {
    return directory.resolve(node.id());
  }

  /** Bytes of the files in which nodes keep datasets; files may come and go meanwhile. */
  long dataBytes() {
    AtomicLong bytes = new AtomicLong();
    try {
      for (Node node : Node.CONTROLLERS) {
        for (Path device : devices(node)) {
          Files.walkFileTree(device, new Sizes(bytes));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.get();
  }

  /** The I/O devices that are there. */
  private List<Path> devices(Node node) throws IOException {
    try (Stream<Path> entries = Files.list(home(node))) {
      return entries
          .filter(entry -> entry.getFileName().toString().matches(DEVICE + "\\d*"))
          .toList();
    }
  }

  /** Adds up what is there. */
  private static final class Sizes extends SimpleFileVisitor<Path> {
    private final AtomicLong bytes;

    Sizes(AtomicLong bytes) {
      this.bytes = bytes;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      bytes.addAndGet(attributes.size());
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }

  Path processId(Node node) {
    return directory.resolve(node.id() + ".pid");
  }

  private Path settings() {
    return directory.resolve("settings.json");
  }

  /** The settings of the last start; empty if there was none. */
  Optional<ClusterSettings> readSettings() {
    if (!Files.exists(settings())) {
      return Optional.empty();
    }
    try {
      return Optional.of(Json.read(Files.readString(settings()), ClusterSettings.class));
    } catch (IOException | UncheckedIOException e) {
      throw CommandException.environment(
          "cannot read how the cluster is run from "
              + settings()
              + " ("
              + e.getMessage()
              + "); mend it by hand: the default is "
              + Json.line(ClusterSettings.DEFAULT),
          e);
    }
  }

  /** The settings of the last start; the default ones if there was none. */
  ClusterSettings lastSettings() {
    return readSettings().orElse(ClusterSettings.DEFAULT);
  }

  /**
   * Makes the directory.
   *
   * @throws CommandException if it has files, but no cluster
   */
  void makeDirectory() {
    try {
      Files.createDirectories(directory);
      if (!Files.exists(settings()) && hasOtherFiles()) {
        throw CommandException.environment(
            "directory "
                + directory
                + " is not empty and has no cluster; name an empty or a new one with --directory");
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private boolean hasOtherFiles() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.anyMatch(entry -> !entry.equals(lock()));
    }
  }

  private static CommandException unwritable(IOException e) {
    return CommandException.environment(
        "cannot write the files of a cluster (" + e + "); name another place with --directory", e);
  }

  /** Writes settings and configuration, and makes the directories that they name. */
  void prepare(ClusterSettings settings) {
    try {
      Files.createDirectories(logs());
      for (Node node : Node.values()) {
        Files.createDirectories(home(node));
      }
      write(configuration(), ClusterConfiguration.text(this, settings));
      write(settings(), Json.document(settings));
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private static void write(Path file, String text) throws IOException {
    WholeFile.write(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
