package org.loam.workbench.asterixdb.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.loam.workbench.console.Progress;

/** The jar by which AsterixDB's nodes have Loam, built of a clone when sources are newer. */
final class NodeJar {
  private static final String BUILD_DIRECTORY = "target/launcher";
  private static final String PLUGIN = "asterix-plugin";
  private static final List<String> MODULES =
      List.of(
          "storage-common",
          "buffer-cache",
          "txn-log",
          "lsm-scheduler",
          "memory-tuner",
          "lsm-btree",
          "storage-engine",
          PLUGIN);

  private final Path root;
  private final Path jar;

  NodeJar(Path root) {
    this.root = root.toAbsolutePath().normalize();
    this.jar = this.root.resolve(PLUGIN).resolve(BUILD_DIRECTORY).resolve("loam-asterixdb.jar");
  }

  /**
   * The jar, which is built if need be.
   *
   * @throws org.loam.workbench.console.CommandException if Maven cannot build it
   */
  Path path() {
    require(false);
    return jar;
  }

  /**
   * The classes of its module's tests, one of which runs AsterixDB's own suite. The jar is built
   * along with them.
   *
   * @throws org.loam.workbench.console.CommandException if Maven cannot build them
   */
  Path testClasses() {
    require(true);
    return jar.resolveSibling("test-classes");
  }

  private void require(boolean withTests) {
    try {
      Files.createDirectories(jar.getParent());
      try (DirectoryLock unused = DirectoryLock.take(jar.resolveSibling("node-jar.lock"))) {
        if (!isCurrent(withTests)) {
          build();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isCurrent(boolean withTests) throws IOException {
    FileTime built;
    try {
      built = Files.getLastModifiedTime(jar);
    } catch (NoSuchFileException e) {
      return false;
    }
    if (withTests && isNewer(root.resolve(PLUGIN).resolve("src/test"), built)) {
      return false;
    }
    for (String module : MODULES) {
      Path directory = root.resolve(module);
      if (isNewer(directory.resolve("pom.xml"), built)
          || isNewer(directory.resolve("src/main"), built)) {
        return false;
      }
    }
    return !isNewer(root.resolve("pom.xml"), built);
  }

  private static boolean isNewer(Path tree, FileTime than) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (Files.getLastModifiedTime(file).compareTo(than) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  private void build() throws IOException {
    Progress.say("building Loam's jar for AsterixDB's nodes ...");
    Files.deleteIfExists(jar);
    ProcessBuilder maven =
        new ProcessBuilder(
            "mvn",
            "-B",
            "-ntp",
            "-q",
            "-Dfast",
            "-Dloam.build.directory=" + BUILD_DIRECTORY,
            "-Djars",
            "-pl",
            PLUGIN,
            "-am",
            "package");
    MavenRun.run(
        maven.directory(root.toFile()),
        jar.resolveSibling("node-jar.log"),
        "Maven could not build Loam's jar for AsterixDB's nodes");
  }
}
