package org.loam.workbench.asterixdb.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.asterixdb.install.Distribution.Change;
import org.loam.workbench.console.CommandException;

/** Loam's files in a directory that looks like AsterixDB's distribution. */
class DistributionTest {
  @TempDir Path directory;

  private Path root;
  private Path jar;

  @BeforeEach
  void unpack() throws IOException {
    root = directory.resolve("apache-asterixdb-0.9.8");
    for (Script script : Script.values()) {
      Path file = root.resolve(script.stock());
      Files.createDirectories(file.getParent());
      Files.writeString(file, stock(script));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    Files.createDirectories(root.resolve("repo"));
    Files.createFile(root.resolve("repo/asterix-app-0.9.8.jar"));
    jar = Files.writeString(directory.resolve("loam-asterixdb.jar"), "one version of Loam");
  }

  /** The end of a script as AsterixDB 0.9.8 has it. */
  private static String stock(Script script) {
    String name = script.stock().substring("bin/".length());
    return """
        #!/bin/sh
        exec "$JAVACMD" $JAVA_OPTS  \\
          -Dapp.name="%s" \\
          org.apache.hyracks.control.Driver \\
          %s "$@"
        """
        .formatted(name, script.stockArgument());
  }

  private List<Change> install() {
    return Distribution.in(root).install(jar).stream().map(Distribution.Installed::change).toList();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void theJarAndTwoScriptsAreAddedAndNothingElseChanges() throws IOException {
    assertThat(Distribution.in(root).install(jar))
        .containsExactly(
            new Distribution.Installed("repo/loam-asterixdb.jar", Change.INSTALLED),
            new Distribution.Installed("bin/asterixncloam", Change.INSTALLED),
            new Distribution.Installed("bin/asterixccloam", Change.INSTALLED));
    assertThat(files())
        .containsExactly(
            "bin/asterixcc",
            "bin/asterixccloam",
            "bin/asterixnc",
            "bin/asterixncloam",
            "repo/asterix-app-0.9.8.jar",
            "repo/loam-asterixdb.jar");
    for (Script script : Script.values()) {
      assertThat(root.resolve(script.stock())).hasContent(stock(script));
    }
    assertThat(root.resolve("bin/asterixncloam"))
        .hasContent(
            """
            #!/bin/sh
            # Made from asterixnc by `loam asterixdb install`, to run AsterixDB on Loam.
            exec "$JAVACMD" $JAVA_OPTS  \\
              -Dapp.name="asterixncloam" \\
              org.apache.hyracks.control.Driver \\
              -app-class org.loam.asterix.LoamNCApplication "$@"
            """);
    assertThat(root.resolve("bin/asterixccloam"))
        .content()
        .contains("-app-class org.loam.asterix.LoamCCApplication \"$@\"");
    assertThat(root.resolve("bin/asterixccloam")).isExecutable();
    assertThat(root.resolve("repo/loam-asterixdb.jar"))
        .hasContent("one version of Loam")
        .isReadable();
  }

  @Test
  void aSecondRunSaysWhatIsThereAndReplacesAnotherVersion() throws IOException {
    assertThat(install()).containsOnly(Change.INSTALLED);
    assertThat(install()).containsOnly(Change.PRESENT);
    Files.writeString(jar, "another version of Loam");
    Files.delete(root.resolve("bin/asterixccloam"));
    assertThat(install()).containsExactly(Change.REPLACED, Change.PRESENT, Change.INSTALLED);
    assertThat(root.resolve("repo/loam-asterixdb.jar")).hasContent("another version of Loam");
    Files.setPosixFilePermissions(
        root.resolve("bin/asterixncloam"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(install()).containsExactly(Change.PRESENT, Change.REPLACED, Change.PRESENT);
    assertThat(root.resolve("bin/asterixncloam")).isExecutable();
  }

  /** Only root may give files away. */
  @Test
  @EnabledIfSystemProperty(named = "user.name", matches = "root")
  void filesBelongToTheOwnerOfTheDistribution() throws IOException {
    UserPrincipal owner =
        root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.toList()) {
        Files.setOwner(file, owner);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
      }
    }
    assertThat(install()).containsOnly(Change.INSTALLED);
    for (String file : List.of("repo/loam-asterixdb.jar", "bin/asterixncloam")) {
      assertThat(Files.getOwner(root.resolve(file))).as(file).isEqualTo(owner);
    }
    assertThat(install()).containsOnly(Change.PRESENT);
    Files.setOwner(root.resolve("bin/asterixncloam"), Files.getOwner(directory));
    assertThat(install()).containsExactly(Change.PRESENT, Change.REPLACED, Change.PRESENT);
  }

  @Test
  void noPartOfAFileIsLeftOnAFullDisk() throws IOException {
    Path part = root.resolve("repo/loam-asterixdb.jar.part");
    Files.createSymbolicLink(part, Path.of("/dev/full"));
    assertThatThrownBy(this::install)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("cannot install into " + root);
    assertThat(part).doesNotExist();
    assertThat(install()).containsOnly(Change.INSTALLED);
  }

  private void requireRefused(Path named, String... words) throws IOException {
    List<String> before = files();
    assertThatThrownBy(() -> Distribution.in(named).install(jar))
        .isInstanceOf(CommandException.class)
        .hasMessageContainingAll(words);
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void whatIsNoDistributionIsRefused() throws IOException {
    requireRefused(
        directory,
        directory + " is no unpacked distribution of AsterixDB: there is no bin/asterixnc",
        "name the directory apache-asterixdb-0.9.8");
    requireRefused(root.resolve("bin"), "there is no bin/asterixnc");
    requireRefused(directory.resolve("nothing"), "is no unpacked distribution");
    Files.delete(root.resolve("repo/asterix-app-0.9.8.jar"));
    requireRefused(root, "there is no repo/asterix-app-0.9.8.jar");
  }

  @Test
  void anotherVersionIsRefused() throws IOException {
    Path application = root.resolve("repo/asterix-app-0.9.8.jar");
    Path other = root.resolve("repo/asterix-app-0.9.9.jar");
    Files.copy(application, other);
    requireRefused(root, "has AsterixDB 0.9.8 and 0.9.9; Loam works with AsterixDB 0.9.8 only");
    Files.delete(application);
    requireRefused(root, "has AsterixDB 0.9.9; Loam works with AsterixDB 0.9.8 only");
  }

  @Test
  void aScriptThatWasChangedIsRefusedBeforeAnythingIsWritten() throws IOException {
    Path script = root.resolve("bin/asterixcc");
    Files.writeString(script, Files.readString(script).replace("bootstrap.CC", "bootstrap.My"));
    requireRefused(
        root, script.toString(), "is not as AsterixDB 0.9.8 has it", "bootstrap.CCApplication'");
  }

  @Test
  void aSecondJarOfLoamIsRefused() throws IOException {
    Files.createFile(root.resolve("repo/loam-asterixdb-0.1.jar"));
    requireRefused(root, "repo/loam-asterixdb-0.1.jar has Loam, too; remove it");
  }
}
