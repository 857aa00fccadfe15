package org.loam.workbench.asterixdb.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.Json;
import org.loam.workbench.demo.RecordSource;
import org.loam.workbench.demo.Shape;

/** What a feed sends, and what is asked about it. */
class FeedRecordsTest {
  @TempDir Path directory;

  /** Packages p0, p1, ... */
  private static final class Packages implements RecordSource {
    @Override
    public String description() {
      return "packages of a test";
    }

    @Override
    public Shape shape() {
      return Shape.PACKAGES;
    }

    @Override
    public void forEach(RecordSink sink) throws IOException {
      for (int i = 0; i < 10; i++) {
        ObjectNode record = JsonNodeFactory.instance.objectNode();
        record.put("package", "p" + i).put("section", i % 2 == 0 ? "even \"x\"" : "odd");
        record.put("maintainer", "m" + i % 3).putArray("depends");
        if (i != 4) {
          record.put("installedSize", 100L * i);
        }
        sink.accept(record);
      }
    }
  }

  private FeedRecords records() throws IOException {
    return FeedRecords.write(directory.resolve("records.json"), new Packages(), 8);
  }

  @Test
  void eachRecordIsALineWithItsNumber() throws IOException {
    FeedRecords records = records();
    List<String> lines = Files.readAllLines(records.file());
    assertThat(lines).hasSize(8);
    assertThat(records.count()).isEqualTo(8);
    assertThat(records.bytes()).isEqualTo(lines.stream().mapToLong(String::length).sum());
    assertThat(lines.get(3)).contains("\"package\":\"p3\"").contains("\"n\":3");
    assertThat(records.having(values -> values.group().equals("odd"))).hasToString("{1, 3, 5, 7}");
  }

  @Test
  void aRecordIsKnownWhateverTheOrderOfItsFields() throws IOException {
    FeedRecords records = records();
    String line = Files.readAllLines(records.file()).get(3);
    ObjectNode record = (ObjectNode) Json.exact().readTree(line);
    record.set("package", record.remove("package"));
    assertThat(record.toString()).isNotEqualTo(line);
    assertThat(records.has(record)).isTrue();
    record.put("section", "other");
    assertThat(records.has(record)).isFalse();
    assertThat(records.has(record.put("n", 8))).isFalse();
    assertThat(records.has(JsonNodeFactory.instance.objectNode())).isFalse();
  }

  @Test
  void questionsAreAboutARecordThatIsThere() throws IOException {
    FeedRecords records = records();
    for (int seed = 0; seed < 20; seed++) {
      List<FeedQuestion> questions = FeedQuestion.some(records, new SplittableRandom(seed));
      assertThat(questions).hasSize(4);
      assertThat(records.having(questions.get(0).holds()).cardinality()).isEqualTo(4);
      assertThat(records.having(questions.get(1).holds()).cardinality()).isBetween(2, 3);
      assertThat(records.having(questions.get(3).holds()).cardinality()).isLessThanOrEqualTo(1);
      assertThat(questions.get(0).condition())
          .isIn("r.`section` = \"even \\\"x\\\"\"", "r.`section` = \"odd\"");
    }
  }

  @Test
  void theSenderPausesAndEndsWhenNothingReads() throws Exception {
    FeedRecords records = records();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        FeedSender sender = new FeedSender(records.file(), server.getLocalPort(), 5);
        Socket feed = server.accept();
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(feed.getInputStream(), StandardCharsets.UTF_8))) {
      for (int i = 0; i < 5; i++) {
        assertThat(lines.readLine()).contains("\"n\":" + i);
      }
      assertThat(feed.getInputStream().available()).isZero();
      sender.resume();
      sender.join();
      assertThat(sender.sent()).isEqualTo(8);
      for (int i = 5; i < 8; i++) {
        assertThat(lines.readLine()).contains("\"n\":" + i);
      }
      assertThat(lines.readLine()).isNull();
    }
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      FeedSender sender = new FeedSender(records.file(), server.getLocalPort(), 5);
      server.accept().close();
      sender.close();
      assertThat(sender.sent()).isLessThanOrEqualTo(8);
    }
  }
}
