package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.CommandException;

/** Nodes of AsterixDB that must not start, and say why through the command that started them. */
@Tag("soak")
class LoamStartTest {
  private static final String SCHEMA =
      """
      CREATE DATAVERSE shop;
      USE shop;
      CREATE TYPE OrderType AS { id: bigint };
      CREATE DATASET orders(OrderType) PRIMARY KEY id;
      UPSERT INTO orders ([{"id": 1}, {"id": 2}, {"id": 3}]);
      """;

  /** A refusal in one line, with no stack behind it. */
  private static final Pattern REFUSAL =
      Pattern.compile(
          "^org\\.loam\\.asterix\\.runtime\\.StartException: .*\\R(?!\\tat )", Pattern.MULTILINE);

  @TempDir Path directory;

  private TestCluster loam;

  @BeforeEach
  void prepare() {
    loam = new TestCluster(directory.resolve("cluster"));
  }

  @AfterEach
  void end() throws InterruptedException {
    loam.close();
  }

  private void requireRefused(String... words) {
    assertThatThrownBy(() -> loam.start())
        .isInstanceOf(CommandException.class)
        .hasMessageContainingAll(words);
  }

  private void requireRecords() throws InterruptedException {
    assertThat(loam.rows("SELECT VALUE COUNT(*) FROM shop.orders;")).hasToString("[3]");
  }

  /** The cluster controller runs, so that the configuration stays what the test has made of it. */
  private void requireRefusedWith(String option, String other, String... words) throws IOException {
    Path file = loam.files.configuration();
    String intact = Files.readString(file);
    assertThat(intact).containsPattern(option);
    Files.writeString(file, intact.replaceFirst(option, other));
    requireRefusedInOneLine(words);
    Files.writeString(file, intact);
  }

  private void requireRefusedInOneLine(String... words) throws IOException {
    requireRefused(words);
    // Where a node's standard error goes. AsterixDB logs the exception as well, with its stack, and
    // the log goes there too as long as no file is named for it.
    assertThat(REFUSAL.matcher(Files.readString(loam.files.output(Node.NC2))).results()).hasSize(1);
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aNodeWithAWrongConfigurationOrWithoutItsDataIsRefused() throws Exception {
    loam.start();
    loam.rows(SCHEMA);
    loam.cluster.kill(Node.NC2);
    requireRefusedWith(
        "loam.memory=\\d+B", "loam.memory=4000GiB", "nc2 did not start: [nc] loam.memory: 4000GiB");
    requireRefusedWith(
        "loam.memory=", "loam.memmory=", "nc2 did not start: [nc] loam.memmory", "loam.memory?");
    requireRefusedWith(
        "\\[nc]", "[nc]\nloam.settings={l0: {stopp: 3}}", "nc2 did not start: ", "l0.stop?");
    requireRefusedWith(
        "\\[common]", "[common]\nreplication.enabled=true", "replication.enabled=false");

    Path database = loam.files.home(Node.NC2).resolve("data/loam");
    Path elsewhere = directory.resolve("elsewhere");
    Files.move(database, elsewhere);
    requireRefused("nc2 did not start: index ", " is in Loam, but there is no database in ");
    Files.move(elsewhere, database);

    Path current = database.resolve("current");
    byte[] intact = Files.readAllBytes(current);
    Files.writeString(current, "something of somebody else's");
    requireRefused("nc2 did not start: ", current.toString());
    Files.write(current, intact);
    loam.start();
    requireRecords();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void aNodeThatCannotWriteItsCheckpointOrWithoutItsLogIsRefused() throws Exception {
    loam.start();
    loam.rows(SCHEMA);
    loam.cluster.kill(Node.NC2);
    Path log = loam.files.home(Node.NC2).resolve("log");
    Path checkpoint;
    try (Stream<Path> files = Files.list(log)) {
      checkpoint =
          files
              .filter(file -> file.getFileName().toString().matches("checkpoint_\\d+"))
              .findFirst()
              .orElseThrow();
    }
    // AsterixDB counts checkpoints by their names; the node has recovered by then.
    Path copy = Files.copy(checkpoint, log.resolve(checkpoint.getFileName() + ".copy"));
    for (int i = 0; i < 2; i++) {
      requireRefusedInOneLine(
          "nc2 did not start: the start failed in CheckpointTask: For input string: ", "copy");
    }
    Files.delete(copy);

    Path elsewhere = directory.resolve("log");
    Files.move(log, elsewhere);
    requireRefusedInOneLine("nc2 did not start: txn.log.dir: ", " has no log, but there is ");
    Files.move(elsewhere, log);
    loam.start();
    requireRecords();
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void dataOfAnotherStorageIsLeftAlone() throws Exception {
    loam.start(Storage.STOCK);
    loam.rows(SCHEMA);
    loam.cluster.stop();
    requireRefused(
        "did not start: ",
        "in AsterixDB's own storage, such as storage/partition_",
        "NCApplication");
    loam.start(Storage.STOCK);
    requireRecords();
  }
}
