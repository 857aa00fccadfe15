package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node whose log and checkpoints, which are AsterixDB's, are on a file system that has no room
 * when the node starts, or none from then on; its I/O device is on another one.
 */
@Tag("soak")
class LoamFullLogTest {
  private static final int DISK_BYTES = 64 << 20;
  private static final int RECORDS = 2000;

  /** Recovery writes some 30 bytes of log for each: more than a block of 1 KB has left. */
  private static final int DATASETS = 50;

  @TempDir Path directory;

  private SmallDiskCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = new SmallDiskCluster(directory, DISK_BYTES);
    cluster.start("txn.log.dir", UnaryOperator.identity());
    cluster.loam.rows(
        "CREATE DATAVERSE shop; USE shop; CREATE TYPE OrderType AS {id: bigint};"
            + makeDataset("orders", RECORDS));
  }

  @AfterEach
  void end() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String makeDataset(String name, int records) {
    return """
        CREATE DATASET %1$s(OrderType) PRIMARY KEY id;
        UPSERT INTO %1$s (SELECT i AS id FROM RANGE(1, %2$d) i);
        """
        .formatted(name, records);
  }

  /** The node says in one line why it does not start, as often as it is tried. */
  private void requireRefused() throws IOException {
    for (int i = 0; i < 2; i++) {
      cluster.requireRefused(
          "nc2 did not start: txn.log.dir: " + log() + " is full: ", " bytes free");
    }
  }

  private Path log() {
    return cluster.path().resolve("log");
  }

  private void requireRecords() throws Exception {
    cluster.makeRoom();
    cluster.loam.start();
    cluster.requireRecords("shop.orders", RECORDS);
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aStartThatCouldNotWriteItsCheckpointIsRefusedInOneLine() throws Exception {
    assertThat(cluster.loam.cluster.stop(Node.NC2)).isTrue();
    cluster.fill();
    requireRefused();
    requireRecords();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aRecoveryThatCouldNotWriteItsLogIsRefusedInOneLine() throws Exception {
    cluster.loam.cluster.kill(Node.NC2);
    cluster.fill();
    requireRefused();
    requireRecords();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aRecoveryWhoseLogBecomesFullSaysSoInOneLine() throws Exception {
    StringBuilder datasets = new StringBuilder("USE shop;");
    for (int i = 0; i < DATASETS; i++) {
      datasets.append(makeDataset("d" + i, 20));
    }
    cluster.loam.rows(datasets.toString());
    cluster.loam.cluster.kill(Node.NC2);
    CompletableFuture<Void> full = fillAfterTheStart();
    cluster.requireRefused(
        "the start failed: LogFlusher is terminating abnormally",
        ": No space left on device; txn.log.dir: " + log() + " is full: ",
        "start the node again when there is room");
    full.get();
    requireRecords();
    cluster.requireRecords("shop.d" + (DATASETS - 1), 20);
  }

  /**
   * Fills the disk after the node has looked for room on it. For this, one of AsterixDB's
   * checkpoints is a pipe, which the node reads before it recovers; it is a file again when the
   * node goes on.
   */
  private CompletableFuture<Void> fillAfterTheStart() throws IOException, InterruptedException {
    Path checkpoint;
    try (Stream<Path> files = Files.list(log())) {
      checkpoint =
          files
              .filter(file -> file.getFileName().toString().startsWith("checkpoint_"))
              .findFirst()
              .orElseThrow();
    }
    byte[] content = Files.readAllBytes(checkpoint);
    Path aside = Files.move(checkpoint, cluster.path().resolve("aside"));
    new ProcessBuilder(List.of("mkfifo", checkpoint.toString())).start().waitFor();
    return CompletableFuture.runAsync(
        () -> {
          // Opened as soon as the node reads it.
          try (OutputStream pipe = Files.newOutputStream(checkpoint)) {
            cluster.fill();
            Files.move(aside, checkpoint, StandardCopyOption.REPLACE_EXISTING);
            pipe.write(content);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
