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

  private SmallDiskCluster cluster;
  private TestCluster loam;

  @BeforeEach
  void start() throws Exception {
    cluster = new SmallDiskCluster(directory, DISK_BYTES);
    loam = cluster.loam;
    cluster.start("iodevices", text -> text.replaceAll("(?m)^loam.memory=.*", MEMORY));
    loam.rows(
        "CREATE DATAVERSE shop; USE shop; CREATE TYPE OrderType AS {id: bigint};"
            + " CREATE DATASET orders(OrderType) PRIMARY KEY id;"
            + " CREATE DATASET later(OrderType) PRIMARY KEY id;");
  }

  @AfterEach
  void end() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
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

  /** A merge on the second node finds no room, as there is less than the records take. */
  private void makeMergesFail() throws Exception {
    for (String letter : List.of("a", "b")) {
      upsert("orders", RECORDS, letter);
      if (letter.equals("b")) {
        cluster.fill(6 * MB);
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
          .hasMessageContainingAll(cluster.path().toString(), " bytes needed, ", " bytes free");
    }
    cluster.requireRecords("shop.orders", RECORDS);
    assertThat(new HttpApi(loam.settings).loamMetrics(Node.NC2).orElseThrow())
        .contains(
            "\nloam_disk_full{directory=\"" + cluster.path().resolve("data/loam") + "\"} 1\n");
    assertThat(log(Node.NC2)).containsOnlyOnce("a merge found the disk full");
    for (Node node : Node.values()) {
      assertThat(log(node)).doesNotContain("DiskFullException", "refused'");
    }

    cluster.makeRoom();
    upsert("later", RECORDS, "c");
    await(() -> log(Node.NC2).contains("a merge has succeeded again"));
    assertThat(isFull()).isFalse();
    cluster.requireRecords("shop.orders", RECORDS);
    cluster.requireRecords("shop.later", RECORDS);
  }

  /** What a node has redone is flushed before the node is active. */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aRecoveryThatFindsNoRoomIsRefusedInOneLine() throws Exception {
    upsert("later", 2 * RECORDS, "a");
    loam.cluster.kill(Node.NC2);
    cluster.fill(2 * MB);
    cluster.requireRefused(
        "the start failed", " bytes free", "start the node again when there is room");
    cluster.makeRoom();
    loam.start();
    cluster.requireRecords("shop.later", 2 * RECORDS);
  }
}
