package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;

class ClusterFilesTest {
  private static final Path GOLDEN = Path.of("src/test/resources/org/loam/workbench/asterixdb");

  @TempDir Path directory;

  /** {@code -Dloam.rewrite=true} keeps what is written now. */
  @ParameterizedTest
  @EnumSource
  void theConfigurationIsWhatAsterixDbWasSeenToRunWith(Storage storage) throws IOException {
    ClusterFiles files = new ClusterFiles(Path.of("/srv/cluster"));
    ClusterSettings settings = new ClusterSettings(19002, 512L << 20, storage);
    String text = ClusterConfiguration.text(files, settings);
    Path golden = GOLDEN.resolve("cc-" + storage.name().toLowerCase(Locale.ROOT) + ".conf");
    if (Boolean.getBoolean("loam.rewrite")) {
      Files.writeString(golden, text);
    }
    assertThat(text).isEqualTo(Files.readString(golden));
  }

  @Test
  void memoryAndPortsFollowTheSettings() {
    ClusterSettings settings = new ClusterSettings(20000, 1L << 30, Storage.STOCK);
    String text = ClusterConfiguration.text(new ClusterFiles(directory), settings);
    assertThat(text.lines())
        .contains(
            "api.port=20000",
            "cluster.port=20001",
            "storage.buffercache.size=268435456",
            "compiler.sortmemory=16777216",
            "log.dir=" + directory.resolve("logs"));
    assertThat(text).doesNotContain("=19002");
  }

  @Test
  void settingsOfLoamAreForLoamAlone() {
    ClusterFiles files = new ClusterFiles(directory);
    Map<String, String> loam = Map.of("write.initialBytes", "2MiB", "tuner.mode", "ADAPTIVE");
    ClusterSettings settings = ClusterSettings.DEFAULT.withLoam(loam);
    assertThat(ClusterConfiguration.text(files, settings).lines())
        .contains("loam.settings={tuner.mode: ADAPTIVE, write.initialBytes: 2MiB}");
    ClusterSettings stock =
        new ClusterSettings(20000, 1L << 30, Storage.STOCK).withDevices(2).withLoam(loam);
    assertThat(ClusterConfiguration.text(files, stock)).doesNotContain("loam.settings");
  }

  /** Those of a cluster that an older build made. */
  @Test
  void olderSettingsAreRead() throws IOException {
    ClusterFiles files = new ClusterFiles(directory.resolve("cluster"));
    files.makeDirectory();
    files.prepare(ClusterSettings.DEFAULT);
    Path settings = files.directory().resolve("settings.json");
    String written = Files.readString(settings);
    Files.writeString(
        settings, written.replaceAll("\"loam\"\\s*:\\s*\\{\\s*}", "\"writeMemoryBytes\": 0"));
    assertThat(settings).content().isNotEqualTo(written);
    assertThat(files.readSettings()).contains(ClusterSettings.DEFAULT);
  }

  @Test
  void eachDeviceIsADirectory() {
    ClusterSettings settings = new ClusterSettings(20000, 1L << 30, Storage.LOAM, 3);
    Path home = directory.resolve("nc2");
    assertThat(ClusterConfiguration.text(new ClusterFiles(directory), settings).lines())
        .contains(
            "iodevices="
                + home.resolve("data")
                + ","
                + home.resolve("data2")
                + ","
                + home.resolve("data3"));
    assertThatThrownBy(() -> new ClusterSettings(20000, 1L << 30, Storage.LOAM, 17))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("devices = 17, rule: 1 to 16 for each node");
    assertThatThrownBy(() -> new ClusterSettings(20000, 1L << 30, Storage.LOAM, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theNumberOfDevicesStays() throws IOException {
    ClusterFiles files = new ClusterFiles(directory.resolve("cluster"));
    files.makeDirectory();
    files.prepare(new ClusterSettings(20000, 1L << 30, Storage.LOAM));
    Path settings = files.directory().resolve("settings.json");
    // As an older build wrote it.
    Files.writeString(
        settings, Files.readString(settings).replaceAll(",?\\s*\"devices\"\\s*:\\s*\\d+", ""));
    assertThat(files.readSettings().orElseThrow().devices()).isEqualTo(1);
    AsterixCluster cluster = new AsterixCluster(files.directory(), new Artifacts(directory));
    assertThatThrownBy(() -> cluster.start(new ClusterSettings(20000, 1L << 30, Storage.LOAM, 2)))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("on 1 devices for good, not on 2")
        .hasMessageContaining("--directory");
    assertThat(cluster.isRunning()).isFalse();
  }

  @Test
  void allPortsDifferAndAreWithinThoseThatAreChecked() {
    ClusterSettings settings = ClusterSettings.DEFAULT;
    Set<Integer> ports = new HashSet<>(Set.of(settings.clusterPort(), settings.clientPort()));
    EnumSet.allOf(Node.class).forEach(node -> ports.add(settings.httpPort(node)));
    assertThat(ports)
        .hasSize(ClusterSettings.PORT_COUNT)
        .allMatch(port -> port < settings.port() + ClusterSettings.PORT_COUNT);
  }

  @Test
  void settingsAreReadAsTheyWereWritten() {
    ClusterFiles files = new ClusterFiles(directory.resolve("new"));
    assertThat(files.readSettings()).isEmpty();
    ClusterSettings settings = new ClusterSettings(20000, 300L << 20, Storage.STOCK);
    files.makeDirectory();
    files.prepare(settings);
    assertThat(files.readSettings()).contains(settings);
    assertThat(files.configuration()).exists();
    EnumSet.allOf(Node.class).forEach(node -> assertThat(files.home(node)).isDirectory());
    files.makeDirectory();
  }

  /** A process has one name in its arguments, and a directory may have several. */
  @Test
  void aDirectoryHasOneNameAlsoBehindALink() throws IOException {
    Path real = Files.createDirectory(directory.resolve("real")).toRealPath();
    Path link = Files.createSymbolicLink(directory.resolve("link"), real);
    assertThat(new ClusterFiles(link.resolve("c")).directory()).isEqualTo(real.resolve("c"));
    new ClusterFiles(link.resolve("c")).makeDirectory();
    assertThat(new ClusterFiles(link.resolve("c")).home(Node.NC1))
        .isEqualTo(real.resolve("c").resolve("nc1"));
  }

  @Test
  void settingsAreWrittenWholeOrNotAtAll() throws IOException {
    ClusterFiles files = new ClusterFiles(directory.resolve("cluster"));
    files.makeDirectory();
    files.prepare(ClusterSettings.DEFAULT);
    Path part = files.directory().resolve("settings.json.part");
    Files.createSymbolicLink(part, Path.of("/dev/full"));
    assertThatThrownBy(() -> files.prepare(new ClusterSettings(20000, 1L << 30, Storage.LOAM)))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("cannot write the files of a cluster");
    assertThat(files.readSettings()).contains(ClusterSettings.DEFAULT);
    assertThat(part).doesNotExist();
  }

  @Test
  void settingsThatCannotBeReadAreNamed() throws IOException {
    ClusterFiles files = new ClusterFiles(directory.resolve("cluster"));
    files.makeDirectory();
    files.prepare(ClusterSettings.DEFAULT);
    Path settings = Files.writeString(files.directory().resolve("settings.json"), "");
    assertThatThrownBy(files::readSettings)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(settings.toString())
        .hasMessageContaining("\"port\":19002");
  }

  /** The class path has no AsterixDB, so that no node starts. */
  @Test
  void aStartThatFailsLeavesTheSettingsOfTheLastOne() throws IOException {
    ClusterFiles files = new ClusterFiles(directory.resolve("cluster"));
    files.makeDirectory();
    files.prepare(ClusterSettings.DEFAULT);
    AsterixCluster cluster = new AsterixCluster(files.directory(), new Artifacts(directory));
    ClusterSettings other = FreePorts.settings(Storage.LOAM, 300L << 20);
    assertThatThrownBy(() -> cluster.start(other)).isInstanceOf(CommandException.class);
    assertThat(files.readSettings()).contains(ClusterSettings.DEFAULT);
    assertThat(files.configuration())
        .hasContent(ClusterConfiguration.text(files, ClusterSettings.DEFAULT));
  }

  @Test
  void aDirectoryOfAnotherOwnerIsRefusedAndLeftAlone() throws IOException {
    Files.writeString(directory.resolve("precious"), "x");
    AsterixCluster cluster = new AsterixCluster(directory, new Artifacts(directory));
    assertThatThrownBy(() -> cluster.start(ClusterSettings.DEFAULT))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.ENVIRONMENT))
        .hasMessageContaining("not empty")
        .hasMessageContaining("--directory");
    assertThat(directory).isDirectoryContaining("glob:**/precious");
    assertThat(directory.toFile().list()).hasSize(1);
  }

  @Test
  void aDirectoryThatTheConfigurationCannotNameIsRefused() {
    assertThatThrownBy(() -> new ClusterFiles(Path.of("a,b")))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("a,b")
        .hasMessageContaining("--directory");
  }

  @Test
  void aTakenPortIsNamedBeforeAnythingIsWritten() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      int port = taken.getLocalPort();
      // The taken one is the last that the cluster needs.
      ClusterSettings settings =
          new ClusterSettings(port - ClusterSettings.PORT_COUNT + 1, 256L << 20, Storage.STOCK);
      AsterixCluster cluster = new AsterixCluster(directory, new Artifacts(directory));
      assertThatThrownBy(() -> cluster.start(settings))
          .isInstanceOfSatisfying(
              CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.ENVIRONMENT))
          .hasMessageContaining(" is taken")
          .hasMessageContaining("--port");
      assertThat(cluster.settings()).isEmpty();
      assertThat(cluster.isRunning()).isFalse();
    }
  }
}
