package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.disk.MountedImage;
import org.loam.workbench.console.CommandException;

/** A node whose I/O device is on a file system that fills up; AsterixDB's log is on another one. */
@Tag("soak")
class LoamFullDiskTest {
  private static final int MB = 1 << 20;

  /** Writes are let in again with twice the write memory free. */
  private static final String MEMORY =
      "loam.memory=128MiB\nloam.settings={write: {initialBytes: 32MiB}}";

  private static final int DISK_BYTES = 192 * MB;

  /** Of 1 KB each, half of them on the node: 4 MB. */
  private static final int RECORDS = 8000;

  private static final int REFUSED = 30;

  @TempDir Path directory;

  private MountedImage disk;
  private TestCluster loam;

  @BeforeEach
  void start() throws Exception {
    disk = MountedImage.create(directory, DISK_BYTES);
    loam = new TestCluster(directory.resolve("cluster"));
    String device = loam.files.home(Node.NC2).resolve(ClusterFiles.DEVICE).toString();
    loam.start(
        text ->
            text.replace("iodevices=" + device, "iodevices=" + disk.path().resolve("data"))
                .replaceAll("(?m)^loam.memory=.*", MEMORY));
    loam.rows(
        "CREATE DATAVERSE shop; USE shop; CREATE TYPE OrderType AS {id: bigint};"
            + " CREATE DATASET orders(OrderType) PRIMARY KEY id;"
            + " CREATE DATASET later(OrderType) PRIMARY KEY id;");
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

  // ---- The disk.

  private Path ballast() {
    return disk.path().resolve("ballast");
  }

  /** Leaves so much room on the disk. */
  private void fill(int leftBytes) throws IOException {
    long free = Files.getFileStore(disk.path()).getUsableSpace();
    Files.write(ballast(), new byte[(int) (free - leftBytes)]);
  }

  private boolean isFull() throws InterruptedException {
    JsonNode report = loam.cluster.loamStatistics(Node.NC2).orElseThrow();
    return report.path("health").path("disks").path(0).path("isFull").booleanValue();
  }

  /** Each look asks a node or reads its log, which takes its time. */
  private static void await(Callable<Boolean> isDone) throws Exception {
    while (!isDone.call()) {
      Thread.onSpinWait();
    }
  }

  // ---- Statements.

  private void upsert(String dataset, int records, String letter) throws InterruptedException {
    loam.rows(
        ("USE shop; UPSERT INTO %s (SELECT i AS id, REPEAT('%s', 1000) AS text"
                + " FROM RANGE(1, %d) i);")
            .formatted(dataset, letter, records));
  }

  private void requireRecords(String dataset, int records) throws InterruptedException {
    assertThat(loam.rows("SELECT VALUE COUNT(*) FROM shop." + dataset + ";"))
        .hasToString("[" + records + "]");
  }

  /** A merge on the second node finds no room, as there is less than the records take. */
  private void makeMergesFail() throws Exception {
    for (String letter : List.of("a", "b")) {
      upsert("orders", RECORDS, letter);
      if (letter.equals("b")) {
        fill(6 * MB);
      }
      assertThat(loam.cluster.client().flush("shop", "orders")).isTrue();
    }
    await(this::isFull);
  }

  private String log(Node node) throws IOException {
    return Files.readString(loam.files.log(node));
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void statementsAreRefusedWithOneLineInTheLogsUntilThereIsRoom() throws Exception {
    makeMergesFail();
    for (int i = 0; i < REFUSED; i++) {
      assertThatThrownBy(() -> upsert("later", 20, "refused"))
          .isInstanceOf(StatementException.class)
          .hasMessageContainingAll(disk.path().toString(), " bytes needed, ", " bytes free");
    }
    requireRecords("orders", RECORDS);
    assertThat(new HttpApi(loam.settings).loamMetrics(Node.NC2).orElseThrow())
        .contains("\nloam_disk_full{directory=\"" + disk.path().resolve("data/loam") + "\"} 1\n");
    assertThat(log(Node.NC2)).containsOnlyOnce("a merge found the disk full");
    for (Node node : Node.values()) {
      assertThat(log(node)).doesNotContain("DiskFullException", "refused'");
    }

    Files.delete(ballast());
    upsert("later", RECORDS, "c");
    await(() -> log(Node.NC2).contains("a merge has succeeded again"));
    assertThat(isFull()).isFalse();
    requireRecords("orders", RECORDS);
    requireRecords("later", RECORDS);
  }

  /** What a node has redone is flushed before the node is active. */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aRecoveryThatFindsNoRoomIsRefusedInOneLine() throws Exception {
    upsert("later", 2 * RECORDS, "a");
    loam.cluster.kill(Node.NC2);
    fill(2 * MB);
    assertThatThrownBy(() -> loam.start())
        .isInstanceOf(CommandException.class)
        .hasMessageContainingAll("nc2 did not start: the start failed: ", " bytes free");
    assertThat(Files.readAllLines(loam.files.output(Node.NC2)))
        .filteredOn(line -> line.startsWith("org.loam.asterix.runtime.StartException: "))
        .hasSize(1);
    Files.delete(ballast());
    loam.start();
    requireRecords("later", 2 * RECORDS);
  }
}
