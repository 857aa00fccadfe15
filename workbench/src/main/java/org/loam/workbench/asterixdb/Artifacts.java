package org.loam.workbench.asterixdb;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Progress;

/**
 * AsterixDB's jars, which Maven keeps in its local repository, and fetches if they are not there. A
 * pom of its own names them, so that no build of Loam needs them. The class path is kept below the
 * build directory until that pom changes or a jar is gone. Loam's jar is built when its sources are
 * newer.
 */
public final class Artifacts {
  /** The version that the pom asks for, for people. */
  static final String VERSION = "0.9.8";

  private static final String POM = "asterix-plugin/cluster/pom.xml";

  private final Path pom;
  private final Path state;
  private final NodeJar nodeJar;

  /**
   * The jars that a clone of Loam names.
   *
   * @param root of the clone
   */
  public Artifacts(Path root) {
    this.pom = root.resolve(POM);
    this.nodeJar = new NodeJar(root);
    this.state = root.resolve("workbench/target/asterixdb").toAbsolutePath().normalize();
  }

  /** Of the clone that the launcher belongs to. */
  static Artifacts ofThisClone() {
    return new Artifacts(Path.of(System.getProperty("loam.home", "")));
  }

  /**
   * The class path of a node.
   *
   * @throws CommandException if there is no Maven, or it cannot get the jars or build one
   */
  String classPath(Storage storage) {
    String stock = classPath();
    return storage == Storage.STOCK ? stock : stock + File.pathSeparator + nodeJar.path();
  }

  /** That of AsterixDB's own. */
  String classPath() {
    if (!Files.exists(pom)) {
      throw CommandException.environment(
          "there is no " + pom + "; run ./loam of a clone of Loam, which names AsterixDB's jars");
    }
    try {
      Files.createDirectories(state);
      try (DirectoryLock unused = DirectoryLock.take(state.resolve("lock"))) {
        if (!isResolved()) {
          resolve();
        }
        return Files.readString(kept()).strip();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path kept() {
    return state.resolve("classpath");
  }

  /** What the class path was made from. */
  private Path keptPom() {
    return state.resolve("pom.xml");
  }

  private boolean isResolved() throws IOException {
    return Files.exists(kept())
        && Files.exists(keptPom())
        && Files.mismatch(pom, keptPom()) == -1
        && Stream.of(Files.readString(kept()).strip().split(File.pathSeparator))
            .allMatch(jar -> Files.exists(Path.of(jar)));
  }

  private void resolve() throws IOException {
    Files.deleteIfExists(keptPom());
    Path log = state.resolve("resolve.log");
    Progress.say(
        "asking Maven for AsterixDB "
            + VERSION
            + " (the first time it fetches 160 MB into its local repository) ...");
    ProcessBuilder maven =
        new ProcessBuilder(
            "mvn",
            "-B",
            "-ntp",
            "-q",
            "-f",
            pom.toAbsolutePath().normalize().toString(),
            "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath",
            "-DincludeScope=runtime",
            "-Dmdep.outputFile=" + kept());
    MavenRun.run(maven, log, "Maven could not get AsterixDB's jars");
    Files.copy(pom, keptPom(), StandardCopyOption.REPLACE_EXISTING);
  }
}
