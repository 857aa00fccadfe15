package org.loam.workbench.asterixdb.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.Circumstances;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Machine;

class FeedReportTest {
  private static FeedReport report(int lost, long wrong) {
    Machine machine = new Machine("p", 2, 1, "s", "j", "f");
    return new FeedReport(
        new FeedReport.Given("packages", 5000, 4_000_000),
        new FeedReport.Feeds(442, 1333),
        new FeedReport.Kill(4500, 3000, 3055, lost, 10.8),
        new FeedReport.Answers(58, wrong),
        new FeedReport.Disk(16, 9),
        new Circumstances(61, null, machine));
  }

  @Test
  void itIsALineForEachFact() {
    assertThat(report(0, 0).text().lines())
        .containsExactly(
            "source     packages",
            "records    5,000, 4,000,000 bytes of JSON",
            "feeds      of a file 442 records/s, of a socket 1,333 records/s",
            "killed     nc2, with 4,500 records sent and 3,000 shown by queries",
            "recovered  3,055 records, in 10.8 s",
            "lost       0",
            "queries    58 compared, 0 wrong",
            "disk       16 flushes, 9 merges",
            "time       61.0 s",
            "result     all as it must be");
  }

  @Test
  void theDocumentIsFlat() {
    assertThat(Json.read(Json.line(report(0, 0)), JsonNode.class).fieldNames())
        .toIterable()
        .containsExactly(
            "source",
            "records",
            "recordBytes",
            "fileFeedPerSecond",
            "socketFeedPerSecond",
            "sent",
            "seen",
            "recovered",
            "lost",
            "recoverySeconds",
            "queries",
            "wrong",
            "flushes",
            "merges",
            "seconds",
            "directory",
            "machine");
  }

  @Test
  void whatIsLostOrWrongIsAFailure() {
    assertThat(report(0, 0).isClean()).isTrue();
    assertThat(report(1, 0).isClean()).isFalse();
    assertThat(report(0, 1).isClean()).isFalse();
    assertThat(report(1, 0).text()).contains("FAILED");
    assertThat(Json.line(report(1, 2))).contains("\"lost\":1").doesNotContain("clean");
  }
}
