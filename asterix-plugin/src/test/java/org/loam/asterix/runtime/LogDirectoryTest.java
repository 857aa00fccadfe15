package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.real.RealEnv;
import org.loam.common.sim.Simulation;

/** A node looks at the directory of AsterixDB's log before AsterixDB does. */
class LogDirectoryTest {
  @TempDir Path machine;

  private Path database;
  private Path path;
  private LogDirectory log;

  @BeforeEach
  void nameDirectories() {
    database = machine.resolve("loam");
    path = machine.resolve("log");
    log = new LogDirectory(RealEnv.create().files(), path);
  }

  @Test
  void aDirectoryWithoutRoomIsRefused() {
    try (Simulation sim = Simulation.seeded(1)) {
      LogDirectory full = new LogDirectory(sim.env().files(), sim.directory());
      sim.disk().capacityBytes(1 << 20);
      full.require(false, database);
      assertThat(full.problem()).isEmpty();
      sim.disk().capacityBytes((1 << 20) - 1);
      for (boolean initialRun : new boolean[] {false, true}) {
        assertThatThrownBy(() -> full.require(initialRun, database))
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
    new LogDirectory(RealEnv.create().files(), deep).require(false, database);
    assertThat(deep).isEmptyDirectory();
  }

  private void makeDatabase() {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.5).build();
    new LoamNode(database, config, () -> 1L).close();
  }

  private void requireRefused() {
    assertThatThrownBy(() -> log.require(false, database))
        .isInstanceOf(StartException.class)
        .hasMessageStartingWith(
            "txn.log.dir: " + path + " has no log, but there is a database in " + database);
    // With that option all data is to be deleted.
    log.require(true, database);
  }

  @Test
  void aDatabaseWhoseLogIsGoneIsRefused() throws IOException {
    log.require(false, database);
    makeDatabase();
    requireRefused();
    Files.createDirectories(path.resolve("lost+found"));
    requireRefused();
    Files.createFile(path.resolve("checkpoint_7"));
    log.require(false, database);
  }

  /** It has no checkpoint yet, and AsterixDB begins anew. */
  @Test
  void aFirstStartThatWasKilledIsMadeAgain() throws IOException {
    makeDatabase();
    Files.createFile(Files.createDirectories(path).resolve("nc1transaction_log_0"));
    log.require(false, database);
  }
}
