package org.loam.dashboard.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.loam.dashboard.FakeSource;
import org.loam.dashboard.feed.FeedEvent.Kind;
import org.loam.tuner.cost.CycleTimes;
import org.loam.tuner.cost.MemorySample;
import org.loam.tuner.cost.ProcessorTimes;
import org.loam.tuner.cost.ReadClass;
import org.loam.tuner.cost.ReadSample;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.policy.Decision;
import org.loam.tuner.policy.Origin;
import org.loam.tuner.policy.Rule;

/** What a look says, by what there was before. */
class FeedTest {
  private static final long MIB = 1 << 20;

  private final FakeSource source = new FakeSource();
  private long nanos;
  private final Feed feed = new Feed(source, () -> nanos);

  private void passes(long seconds) {
    nanos += seconds * 1_000_000_000;
  }

  private static String statistics(int seconds, int cycle) {
    String last =
        cycle == 0
            ? "null"
            : String.format(
                "{'cycle':%d,'fromBytes':100,'wantedBytes':200,'toBytes':150,'rule':'DONOR',"
                    + "'meaning':'gives a part','cost':%d.5,'predictedGain':3.5}",
                cycle, cycle);
    return String.format(
        "{'memory':{'totalBytes':1000,'tuner':{'mode':'ADAPTIVE','writeBytes':1,'last':%s}},"
            + "'times':{'sinceOpenNanos':%d000000000}}",
        last, seconds);
  }

  private static HistoryEntry entry(int cycle, long atMillis) {
    return entry(cycle, atMillis, ProcessorTimes.NONE);
  }

  private static HistoryEntry entry(int cycle, long atMillis, ProcessorTimes processors) {
    return new HistoryEntry(
        cycle,
        atMillis,
        "ADAPTIVE",
        "NANOS",
        8 * MIB,
        new MemorySample(64 * MIB, 8 * MIB, MIB, 4096),
        new HistoryEntry.Inputs(
            10,
            new HistoryEntry.Moved(20, 3000, 1000, 8000, 500),
            Map.of(ReadClass.QUERY, new ReadSample(900, 100, 90, 40)),
            new CycleTimes(0, 0, 0, 0, processors),
            List.of()),
        new Decision(
            8 * MIB,
            20 * MIB,
            9 * MIB,
            Origin.CURVE,
            Rule.DONOR,
            new Decision.Estimate(cycle + 0.5, 2),
            Decision.Evidence.of(Map.of()),
            cycle == 2 ? new Decision.Outcome(4, -1) : null));
  }

  private List<String> look() {
    List<String> said = new ArrayList<>();
    for (FeedEvent event : feed.look()) {
      JsonNode json = FakeSource.json(event.json());
      said.add(
          switch (event.kind()) {
            case OPENING -> "opening";
            case STATE -> json.path("kind").asText() + " " + json.path("text").asText();
            case POINT -> "point " + json.path("at");
            case DECISION -> "decision " + json.path("cycle") + " at " + json.path("at");
          });
    }
    return said;
  }

  @Test
  void eachLookIsAPointAndADecisionIsToldOnce() {
    source
        .then(statistics(10, 0), "Here.")
        .then(statistics(11, 1), "Here.")
        .then(statistics(12, 1), "Here.")
        .then(statistics(13, 3), "Here.");
    assertThat(look()).containsExactly("opening", "point 10.0", "LIVE Here.");
    assertThat(look()).containsExactly("decision 1 at 11.0", "point 11.0");
    assertThat(look()).containsExactly("point 12.0");
    assertThat(look()).containsExactly("decision 3 at 13.0", "point 13.0");
  }

  @Test
  void anotherOpeningBeginsAnew() {
    source
        .then(statistics(10, 4), "Here.")
        .then(statistics(2, 0), "Here.")
        .then(statistics(3, 1), "There.");
    assertThat(look()).containsExactly("opening", "decision 4 at 10.0", "point 10.0", "LIVE Here.");
    assertThat(look()).containsExactly("opening", "point 2.0");
    assertThat(look()).containsExactly("decision 1 at 3.0", "point 3.0", "LIVE There.");
  }

  /** It is older than the one before was, and has had more cycles. */
  @Test
  void anotherOpeningIsToldFromItsAgeAfterAPauseOfLooks() {
    source
        .then(statistics(10, 1), "Here.")
        .thenLost("Gone.")
        .then(statistics(60, 2), "Here.")
        .then(statistics(61, 2), "Here.");
    look();
    source.history.addAll(List.of(entry(1, 9_000), entry(1, 20_000), entry(2, 40_000)));
    passes(3_600);
    feed.resume();
    assertThat(look()).containsExactly("LOST Gone.");
    passes(1);
    assertThat(look())
        .containsExactly(
            "opening",
            "point 20.0",
            "decision 1 at 20.0",
            "point 40.0",
            "decision 2 at 40.0",
            "point 60.0",
            "LIVE Here.");
    passes(1);
    assertThat(look()).containsExactly("point 61.0");
  }

  @Test
  void whatIsLostIsSaidOnceAndGoesOnWhenItIsBack() {
    source
        .then(statistics(10, 1), "Here.")
        .thenLost("Gone.")
        .thenLost("Gone.")
        .then(statistics(13, 1), "Here.");
    look();
    assertThat(look()).containsExactly("LOST Gone.");
    assertThat(look()).isEmpty();
    assertThat(look()).containsExactly("point 13.0", "LIVE Here.");
  }

  @Test
  void withoutAnEngineThereIsTheHistoryOfItsLastOpening() {
    source.history.addAll(
        List.of(entry(1, 5_000), entry(2, 9_000), entry(1, 4_000), entry(2, 8_000)));
    source.then(null, "Nothing open.").then(null, "Nothing open.").then(statistics(1, 0), "Here.");
    assertThat(look())
        .containsExactly(
            "opening",
            "point 4.0",
            "decision 1 at 4.0",
            "point 8.0",
            "decision 2 at 8.0",
            "HISTORY Nothing open.");
    assertThat(look()).isEmpty();
    assertThat(look()).containsExactly("opening", "point 1.0", "LIVE Here.");
  }

  /** An engine was opened and closed while nothing looked. */
  @Test
  void theHistoryIsReadAnewAfterAPauseOfLooks() {
    source.history.add(entry(1, 5_000));
    source.then(null, "Nothing open.").then(null, "Nothing open.");
    assertThat(look())
        .containsExactly("opening", "point 5.0", "decision 1 at 5.0", "HISTORY Nothing open.");
    source.history.addAll(List.of(entry(1, 4_000), entry(2, 8_000)));
    feed.resume();
    assertThat(look())
        .containsExactly(
            "opening", "point 4.0", "decision 1 at 4.0", "point 8.0", "decision 2 at 8.0");
    assertThat(look()).isEmpty();
  }

  @Test
  void theHistoryOfThisOpeningComesBeforeTheFirstLook() {
    source.history.addAll(List.of(entry(1, 5_000), entry(1, 4_000), entry(2, 8_000)));
    source.then(statistics(10, 2), "Here.").then(statistics(11, 3), "Here.");
    assertThat(look())
        .containsExactly(
            "opening",
            "point 4.0",
            "decision 1 at 4.0",
            "point 8.0",
            "decision 2 at 8.0",
            "point 10.0",
            "LIVE Here.");
    assertThat(look()).containsExactly("decision 3 at 11.0", "point 11.0");
  }

  @Test
  void cyclesThatNoLookSawComeFromTheHistory() {
    source.then(statistics(10, 1), "Here.").then(statistics(60, 4), "Here.");
    look();
    source.history.addAll(
        List.of(entry(1, 9_000), entry(2, 20_000), entry(3, 30_000), entry(4, 40_000)));
    passes(50);
    feed.resume();
    assertThat(look())
        .containsExactly(
            "point 20.0",
            "decision 2 at 20.0",
            "point 30.0",
            "decision 3 at 30.0",
            "point 40.0",
            "decision 4 at 40.0",
            "point 60.0");
  }

  /** The same number of a cycle, another cost: the history is of an opening before. */
  @Test
  void theHistoryOfAnOpeningBeforeIsNotShown() {
    source.history.addAll(List.of(entry(1, 4_000), entry(9, 8_000)));
    source.then(statistics(10, 2), "Here.");
    assertThat(look()).containsExactly("opening", "decision 2 at 10.0", "point 10.0", "LIVE Here.");
  }

  @Test
  void anEntryOfTheHistoryIsAPointOfRates() {
    JsonNode first = FakeSource.json(Cycles.point(null, entry(1, 4_000)).toString());
    JsonNode point = FakeSource.json(Cycles.point(entry(1, 4_000), entry(2, 6_000)).toString());
    assertThat(first.at("/series/mergedBytes").asLong()).isEqualTo(2000);
    assertThat(point.path("at").asDouble()).isEqualTo(6);
    assertThat(point.at("/series/writeBytes").asLong()).isEqualTo(9 * MIB);
    assertThat(point.at("/series/cacheBytes").asLong()).isEqualTo(55 * MIB);
    assertThat(point.at("/series/mergedBytes").asLong()).isEqualTo(4000);
    assertThat(point.at("/series/flushedBytes").asLong()).isEqualTo(2000);
    assertThat(point.at("/series/hits.QUERY").asLong()).isEqualTo((900 - 90) / 2);
    assertThat(point.at("/series/misses.QUERY").asLong()).isEqualTo(50);
    assertThat(point.at("/series/ghost.QUERY").asLong()).isEqualTo(20);
    JsonNode decision = FakeSource.json(Cycles.decision(entry(2, 6_000)).toString());
    assertThat(decision.path("lastObserved").asDouble()).isEqualTo(-1);
    assertThat(decision.path("unit").asText()).isEqualTo("NANOS");
    assertThat(decision.path("meaning").asText()).isEqualTo(Rule.DONOR.meaning());
  }

  /** The tuner may have slept before the cycle, and entries before it may be gone. */
  @Test
  void ratesAreThoseOfTheCycleOrNotShown() {
    ProcessorTimes twoSeconds = new ProcessorTimes(2_000_000_000, 0, 0);
    for (HistoryEntry before : new HistoryEntry[] {null, entry(1, 4_000)}) {
      JsonNode point = Cycles.point(before, entry(2, 900_000, twoSeconds));
      assertThat(point.at("/series/mergedBytes").asLong()).isEqualTo(4000);
    }
    JsonNode oldest = Cycles.point(null, entry(2, 900_000));
    assertThat(oldest.at("/series/writeBytes").asLong()).isEqualTo(9 * MIB);
    assertThat(oldest.path("series").has("mergedBytes")).isFalse();
  }

  /** A node of AsterixDB gives no history away. */
  @Test
  void aDecisionOfStatisticsSaysWhatBecameOfTheLastMove() {
    String tuner = "{'unit':'PAGES','last':{'cycle':3,'meaning':'gives a part'},'lastMove':%s}";
    String moved = "{'predictedGain':4.0,'observedGain':-1.0}";
    JsonNode decision = decision(String.format(tuner, moved));
    assertThat(decision.path("unit").asText()).isEqualTo("PAGES");
    assertThat(decision.path("meaning").asText()).isEqualTo("gives a part");
    assertThat(decision.path("lastPredicted").asDouble()).isEqualTo(4);
    assertThat(decision.path("lastObserved").asDouble()).isEqualTo(-1);
    assertThat(decision(String.format(tuner, "null")).has("lastObserved")).isFalse();
  }

  private static JsonNode decision(String tuner) {
    return FakeSource.json(Cycles.decision(FakeSource.json(tuner), 5).toString());
  }

  @Test
  void anEventIsAFrame() {
    assertThat(new FeedEvent(Kind.POINT, "{}").frame())
        .asString()
        .isEqualTo("event: POINT\ndata: {}\n\n");
  }
}
