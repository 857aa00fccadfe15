package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes on which AsterixDB's own indexes need more memory than AsterixDB has for them. */
@Tag("soak")
class LoamMemoryTest {
  private static final int STATEMENTS = 60;
  private static final int RECORDS = 100;
  private static final int TEXT_CHARS = 400;

  @TempDir Path directory;

  private TestCluster loam;

  @BeforeEach
  void start() throws InterruptedException {
    loam = new TestCluster(directory.resolve("cluster"));
    loam.start();
  }

  @AfterEach
  void end() throws InterruptedException {
    loam.close();
  }

  private static String text(SplittableRandom random) {
    return random
        .ints(TEXT_CHARS, 'a', 'z' + 1)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }

  /** Bytes of a dataset's tables on all nodes. */
  private long diskBytes(String name) throws InterruptedException {
    long bytes = 0;
    for (Node node : Node.CONTROLLERS) {
      for (JsonNode dataset : loam.cluster.loamStatistics(node).orElseThrow().path("datasets")) {
        if (dataset.path("name").textValue().equals(name)) {
          bytes += dataset.path("diskBytes").longValue();
        }
      }
    }
    return bytes;
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void flushesComeToTheDatasetThatFillsTheMemory() throws Exception {
    loam.rows(
        "CREATE DATAVERSE shop; USE shop; CREATE TYPE NoteType AS {id: bigint, text: string};"
            + " CREATE DATASET plain(NoteType) PRIMARY KEY id;"
            + " CREATE INDEX byText ON plain(text);"
            + " CREATE DATASET searched(NoteType) PRIMARY KEY id;"
            + " CREATE INDEX byGram ON searched(text) TYPE NGRAM(3);");
    SplittableRandom random = new SplittableRandom(1);
    for (int statement = 0; statement < STATEMENTS; statement++) {
      int first = statement * RECORDS;
      String records =
          IntStream.range(first, first + RECORDS)
              .mapToObj(id -> "{\"id\":" + id + ",\"text\":\"" + text(random) + "\"}")
              .collect(Collectors.joining(",", "([", "]);"));
      loam.rows("USE shop; UPSERT INTO searched " + records);
      loam.rows("USE shop; UPSERT INTO plain ([{\"id\":" + statement + ",\"text\":\"a\"}]);");
    }
    assertThat(diskBytes("shop.searched")).isPositive();
    assertThat(diskBytes("shop.plain")).isZero();
    assertThat(
            loam.rows(
                "USE shop; SELECT VALUE COUNT(*) FROM plain;"
                    + " SELECT VALUE COUNT(*) FROM searched;"))
        .hasToString("[" + STATEMENTS + ", " + STATEMENTS * RECORDS + "]");
  }
}
