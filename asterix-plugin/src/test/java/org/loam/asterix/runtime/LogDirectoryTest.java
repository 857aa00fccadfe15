package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.api.util.IoUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.real.RealEnv;
import org.loam.common.sim.Simulation;
import org.loam.engine.Tree;

/** A node looks at the directory of AsterixDB's log before AsterixDB does. */
class LogDirectoryTest {
  @TempDir Path machine;

  private final List<IODeviceHandle> devices = new ArrayList<>();
  private List<Path> databases = List.of();
  private Path path;
  private LogDirectory log;

  @BeforeEach
  void nameDirectories() throws IOException {
    for (String name : List.of("one", "two")) {
      devices.add(new IODeviceHandle(Files.createDirectory(machine.resolve(name)).toFile(), "."));
    }
    databases = LoamDirectories.on(devices);
    path = machine.resolve("log");
    log = new LogDirectory(RealEnv.create().files(), path);
  }

  private void require(LogDirectory directory, boolean initialRun) {
    directory.require(initialRun, databases, StorageRoots.on(devices));
  }

  @Test
  void aDirectoryWithoutRoomIsRefused() {
    try (Simulation sim = Simulation.seeded(1)) {
      LogDirectory full = new LogDirectory(sim.env().files(), sim.directory());
      sim.disk().capacityBytes(1 << 20);
      require(full, false);
      assertThat(full.problem()).isEmpty();
      sim.disk().capacityBytes((1 << 20) - 1);
      for (boolean initialRun : new boolean[] {false, true}) {
        assertThatThrownBy(() -> require(full, initialRun))
            .isInstanceOf(StartException.class)
            .hasMessage(
                "txn.log.dir: "
                    + sim.directory()
                    + " is full: 1048575 bytes free, and a start needs 1MiB for AsterixDB's log and"
                    + " checkpoint; start the node again when there is room");
      }
      assertThat(full.problem()).get().asString().contains(" is full: 1048575 bytes free");
    }
  }

  /** As when its disk is gone: a node that ends says that, too. */
  @Test
  void aDirectoryThatIsGoneIsAProblem() {
    Path gone = machine.resolve("not/there/any/more");
    assertThat(new LogDirectory(RealEnv.create().files(), gone).problem())
        .get()
        .isEqualTo("txn.log.dir: cannot tell the free space of " + gone + ": it does not exist");
  }

  @Test
  void aNewNodeNeedsNoDirectory() {
    Path deep = machine.resolve("not/yet/there");
    require(new LogDirectory(RealEnv.create().files(), deep), false);
    assertThat(deep).isEmptyDirectory();
  }

  // ---- Data without a log.

  private LoamNode open() {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.5).build();
    return new LoamNode(databases, config, () -> 1L);
  }

  /** A node has an index on each of its devices. */
  private void fill() throws IOException {
    try (LoamNode node = open()) {
      for (int i = 0; i < devices.size(); i++) {
        describe(i);
        Tree tree = node.openTree(index(i), device(i), true, () -> {});
        tree.put(new byte[] {1}, new byte[1000]);
        tree.flush();
      }
    }
  }

  private Path device(int number) {
    return machine.resolve(List.of("one", "two").get(number));
  }

  private static String index(int number) {
    return "storage/partition_" + number + "/d/things/0/things";
  }

  private Path describe(int device) throws IOException {
    Path directory = Files.createDirectories(device(device).resolve(index(device)));
    Files.writeString(directory.resolve(".metadata"), "{}");
    return directory;
  }

  private void requireRefused(Path data) {
    assertThatThrownBy(() -> require(log, false))
        .isInstanceOf(StartException.class)
        .hasMessage(
            "txn.log.dir: "
                + path
                + " has no log, but there is data in "
                + data
                + ", which AsterixDB would delete; bring the log back, or empty the iodevices to"
                + " begin anew");
    // With that option all data is to be deleted.
    require(log, true);
  }

  @Test
  void aDatabaseWhoseLogIsGoneIsRefused() throws IOException {
    require(log, false);
    fill();
    requireRefused(databases.get(0));
    Files.createDirectories(path.resolve("lost+found"));
    requireRefused(databases.get(0));
    makeLog("checkpoint_7");
    require(log, false);
  }

  /** As when the log is on the first device, which is not mounted. */
  @Test
  void dataOnAnotherDeviceThanTheFirstIsRefused() throws IOException {
    fill();
    IoUtil.delete(device(0));
    requireRefused(databases.get(1));
    Files.createDirectory(device(0));
    requireRefused(databases.get(1));
  }

  /** As when a node with AsterixDB's own storage is started on Loam with another log. */
  @Test
  void dataOfAnotherStorageIsRefused() throws IOException {
    requireRefused(describe(1));
  }

  @Test
  void whatCannotBeListedIsRefused() throws IOException {
    Files.createFile(databases.get(1));
    assertThatThrownBy(() -> require(log, false))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("cannot list " + databases.get(1));
  }

  /** A directory of Loam's may be a disk of its own. */
  @Test
  void aNewDiskHasNoData() throws IOException {
    Files.createDirectories(databases.get(0).resolve("lost+found"));
    Files.createDirectories(device(1).resolve("storage/lost+found"));
    require(log, false);
  }

  /** It has no checkpoint yet, and AsterixDB begins anew. */
  @Test
  void aFirstStartThatWasKilledIsMadeAgain() throws IOException {
    fill();
    makeLog("nc1transaction_log_0");
    require(log, false);
  }

  // ---- A log without data.

  private void requireData(boolean initialRun) {
    log.requireData(initialRun, databases.get(0), StorageRoots.on(devices).indexes());
  }

  private void makeLog(String... names) throws IOException {
    Files.createDirectories(path);
    for (String name : names) {
      Files.createFile(path.resolve(name));
    }
  }

  @Test
  void aLogWhoseDataIsGoneIsRefused() throws IOException {
    makeLog("checkpoint_7", "nc1transaction_log_0");
    for (int i = 0; i < 2; i++) {
      require(log, false);
      assertThatThrownBy(() -> requireData(false))
          .isInstanceOf(StartException.class)
          .hasMessage(
              "txn.log.dir: "
                  + path
                  + " has a log, but there is no database in "
                  + databases.get(0)
                  + ", and a recovery without it would lose what is only in the log; bring the"
                  + " iodevices back, or empty txn.log.dir to begin anew");
      // AsterixDB makes the roots that are missing.
      Files.createDirectories(device(0).resolve("storage"));
    }
    requireData(true);
    // A node without an index has a database as well.
    open().close();
    requireData(false);
  }

  @Test
  void aNodeWithoutACheckpointNeedsNoData() throws IOException {
    requireData(false);
    require(log, false);
    requireData(false);
    makeLog("nc1transaction_log_0");
    requireData(false);
  }

  /** As with {@code loam.metadata=false}, when only AsterixDB's own datasets are there. */
  @Test
  void aNodeWithIndexesInStockStorageNeedsNoDatabase() throws IOException {
    makeLog("checkpoint_7");
    describe(0);
    requireData(false);
  }
}
