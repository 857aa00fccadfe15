package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.disk.MountedImage;
import org.loam.workbench.console.CommandException;

/**
 * A node whose log and checkpoints, which are AsterixDB's, are on a file system that has no room
 * when the node starts; its I/O device is on another one.
 */
@Tag("soak")
class LoamFullLogTest {
  private static final int DISK_BYTES = 64 << 20;
  private static final int RECORDS = 2000;

  @TempDir Path directory;

  private MountedImage disk;
  private TestCluster loam;

  @BeforeEach
  void start() throws Exception {
    disk = MountedImage.create(directory, DISK_BYTES);
    loam = new TestCluster(directory.resolve("cluster"));
    String log = loam.files.home(Node.NC2).resolve("log").toString();
    loam.start(
        text -> text.replace("txn.log.dir=" + log, "txn.log.dir=" + disk.path().resolve("log")));
    loam.rows(
        "CREATE DATAVERSE shop; USE shop; CREATE TYPE OrderType AS {id: bigint};"
            + " CREATE DATASET orders(OrderType) PRIMARY KEY id;"
            + " UPSERT INTO orders (SELECT i AS id FROM RANGE(1, "
            + RECORDS
            + ") i);");
  }

  @AfterEach
  void end() throws Exception {
    if (loam != null) {
      loam.close();
    }
    if (disk != null) {
      disk.close();
    }
  }

  private Path ballast() {
    return disk.path().resolve("ballast");
  }

  /** Leaves no room at all. */
  private void fill() throws IOException {
    byte[] block = new byte[1 << 10];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      assertThatThrownBy(
              () -> {
                for (; ; ) {
                  out.write(block);
                }
              })
          .hasMessageContaining("No space left on device");
    }
  }

  /** The node says in one line why it does not start, as often as it is tried. */
  private void requireRefused() throws IOException {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> loam.start())
          .isInstanceOf(CommandException.class)
          .hasMessageContainingAll(
              "nc2 did not start: txn.log.dir: " + disk.path().resolve("log") + " is full: ",
              " bytes free");
      assertThat(Files.readAllLines(loam.files.output(Node.NC2)))
          .filteredOn(line -> line.startsWith("org.loam.asterix.runtime.StartException: "))
          .hasSize(1);
    }
  }

  private void requireRecords() throws Exception {
    Files.delete(ballast());
    loam.start();
    assertThat(loam.rows("SELECT VALUE COUNT(*) FROM shop.orders;"))
        .hasToString("[" + RECORDS + "]");
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aStartThatCouldNotWriteItsCheckpointIsRefusedInOneLine() throws Exception {
    assertThat(loam.cluster.stop(Node.NC2)).isTrue();
    fill();
    requireRefused();
    requireRecords();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aRecoveryThatCouldNotWriteItsLogIsRefusedInOneLine() throws Exception {
    loam.cluster.kill(Node.NC2);
    fill();
    requireRefused();
    requireRecords();
  }
}
