package org.loam.dashboard.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.dashboard.FakeSource;

/** The series that come of two looks. */
class PointsTest {
  private final Points points = new Points();

  private static String statistics(int seconds, int count) {
    return String.format(
        "{'memory':{'writeUsedBytes':7,'cacheUsedBytes':8,'cacheTargetBytes':9,"
            + "'tuner':{'writeBytes':5,'targetBytes':6,'ghostHits':{'QUERY':%2$d}}},"
            + "'cache':{'hits':{'QUERY':%3$d},'misses':{'QUERY':%4$d}},"
            + "'log':{'writtenBytes':%3$d},"
            + "'work':{'flushes':%2$d,'flushedBytes':%4$d,'merges':%2$d,'mergedBytes':%3$d,"
            + "'loadedBytes':0,'openMerges':2},"
            + "'stalls':{'totals':{'L0_STOP':{'nanos':%5$d}}},"
            + "'trees':[{'name':'a/b','memoryBytes':3,'l0':{'depth':4,'due':8}}],"
            + "'times':{'sinceOpenNanos':%1$d000000000,'reads':[],"
            + "'writes':[{'belowNanos':1024,'count':%4$d},{'belowNanos':8192,'count':%2$d}]}}",
        seconds, count, 10 * count, 100 * count, 1_000_000L * count);
  }

  private Map<String, Double> series(String statistics) {
    JsonNode point = points.next(FakeSource.json(statistics));
    Map<String, Double> values = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> of : point.path("series").properties()) {
      values.put(of.getKey(), of.getValue().asDouble());
    }
    values.put("at", point.path("at").asDouble());
    return values;
  }

  @Test
  void countsBecomeRatesAndTheRestIsAsItIs() {
    Map<String, Double> first = series(statistics(10, 1));
    assertThat(first)
        .containsEntry("at", 10.0)
        .containsEntry("writeBytes", 5.0)
        .containsEntry("targetBytes", 6.0)
        .containsEntry("writeUsedBytes", 7.0)
        .containsEntry("cacheUsedBytes", 8.0)
        .containsEntry("cacheBytes", 9.0)
        .containsEntry("memory.a/b", 3.0)
        .containsEntry("depth.a/b", 4.0)
        .containsEntry("openMerges", 2.0)
        .hasSize(9);
    assertThat(series(statistics(12, 3)))
        .containsEntry("hits.QUERY", 10.0)
        .containsEntry("misses.QUERY", 100.0)
        .containsEntry("ghost.QUERY", 1.0)
        .containsEntry("flushedBytes", 100.0)
        .containsEntry("mergedBytes", 10.0)
        .containsEntry("loadedBytes", 0.0)
        .containsEntry("loggedBytes", 10.0)
        .containsEntry("flushes", 1.0)
        .containsEntry("merges", 1.0)
        .containsEntry("stall.L0_STOP", 1.0)
        .containsEntry("writeP50", 1.024)
        .containsEntry("writeP99", 1.024)
        .containsEntry("writeMax", 8.192)
        .doesNotContainKeys("readP50", "readP99", "readMax");
  }

  @Test
  void aPauseOrAClockThatStandsStillHasNoRates() {
    series(statistics(10, 1));
    points.forgetLast();
    assertThat(series(statistics(20, 2))).doesNotContainKey("hits.QUERY");
    assertThat(series(statistics(20, 3))).doesNotContainKey("hits.QUERY");
    assertThat(series(statistics(21, 4))).containsEntry("hits.QUERY", 10.0);
  }

  @Test
  void manyTreesHaveEightLinesAndOneForTheRest() throws Exception {
    StringBuilder trees = new StringBuilder("{'trees':[");
    for (int i = 0; i < 20; i++) {
      trees.append(i == 0 ? "" : ",");
      trees.append("{'name':'t").append(i).append("','memoryBytes':").append(i).append("}");
    }
    JsonNode point = points.next(FakeSource.json(trees.append("]}").toString()));
    String json = new ObjectMapper().writeValueAsString(point.path("series"));
    assertThat(json.split("memory\\.")).hasSize(1 + 9);
    assertThat(point.at("/series/memory.t19").asInt()).isEqualTo(19);
    assertThat(point.at("/series/memory.other trees").asInt()).isEqualTo(11 * 12 / 2);
  }

  @Test
  void aTreeKeepsItsLineUntilAnotherHasMoreThanTwiceAsMuch() {
    ShownTrees two = new ShownTrees(2);
    assertThat(two.of(Map.of("a", 10L, "b", 8L, "c", 7L))).containsExactlyInAnyOrder("a", "b");
    assertThat(two.of(Map.of("a", 10L, "b", 8L, "c", 16L))).containsExactlyInAnyOrder("a", "b");
    assertThat(two.of(Map.of("a", 10L, "b", 8L, "c", 17L))).containsExactlyInAnyOrder("a", "c");
    assertThat(two.of(Map.of("b", 1L, "c", 17L))).containsExactlyInAnyOrder("b", "c");
  }
}
