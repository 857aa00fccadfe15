package org.loam.workbench.asterixdb.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Progress;

/** A class path that a pom names, kept in a directory until the pom changes or a jar is gone. */
final class ResolvedClassPath {
  private final List<Path> poms;
  private final Path state;
  private final String content;

  /**
   * @param poms the pom, and then those that it builds on
   * @param state where it is kept
   * @param content what it is, for people
   */
  ResolvedClassPath(List<Path> poms, Path state, String content) {
    this.poms = poms;
    this.state = state;
    this.content = content;
  }

  /**
   * The jars, with the system's separators between them.
   *
   * @throws CommandException if there is no pom, no Maven, or it cannot get the jars
   */
  String get() {
    for (Path pom : poms) {
      if (!Files.exists(pom)) {
        throw CommandException.environment(
            "there is no " + pom + "; run ./loam of a clone of Loam, which names AsterixDB's jars");
      }
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

  private String text() throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path pom : poms) {
      text.append(Files.readString(pom));
    }
    return text.toString();
  }

  private boolean isResolved() throws IOException {
    return Files.exists(kept())
        && Files.exists(keptPom())
        && Files.readString(keptPom()).equals(text())
        && Stream.of(Files.readString(kept()).strip().split(File.pathSeparator))
            .allMatch(jar -> Files.exists(Path.of(jar)));
  }

  private void resolve() throws IOException {
    Files.deleteIfExists(keptPom());
    Path log = state.resolve("resolve.log");
    Progress.say("asking Maven for " + content + " ...");
    ProcessBuilder maven =
        new ProcessBuilder(
            "mvn",
            "-B",
            "-ntp",
            "-q",
            "-f",
            poms.get(0).toAbsolutePath().normalize().toString(),
            "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath",
            "-DincludeScope=runtime",
            "-Dmdep.outputFile=" + kept());
    MavenRun.run(maven, log, "Maven could not get AsterixDB's jars");
    Files.writeString(keptPom(), text());
  }
}
