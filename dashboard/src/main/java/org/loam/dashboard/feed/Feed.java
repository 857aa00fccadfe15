package org.loam.dashboard.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.loam.dashboard.feed.FeedEvent.Kind;
import org.loam.dashboard.source.Source;
import org.loam.tuner.history.HistoryEntry;

/** Looks at a source, and says what is new since the last look. Has one thread. */
public final class Feed {
  /** What the page is about now. */
  private enum Phase {
    NOTHING,
    HISTORY,
    LIVE
  }

  /** What was seen of the history before the first look is told at most so far back. */
  private static final int MOST_CYCLES = 500;

  /**
   * Two looks at one opening agree to so much when the engine was opened. An answer may be seconds
   * on its way, and the clock of another machine drifts by up to 9 s in a day (100 ppm).
   */
  private static final double SAME_OPENING_SECONDS = 10;

  private final Source source;
  private final LongSupplier clock;
  private final Points points = new Points();
  private Phase phase = Phase.NOTHING;
  private double lastSeconds;

  /** When the engine was opened, by the clock, as the last look had it. */
  private double lastOpened;

  private long lastCycle;
  private @Nullable FeedEvent state;

  public Feed(Source source) {
    this(source, System::nanoTime);
  }

  /**
   * @param clock nanoseconds of this machine, as of {@link System#nanoTime}
   */
  Feed(Source source, LongSupplier clock) {
    this.source = source;
    this.clock = clock;
  }

  /**
   * The looks so far are long ago: what comes next is not compared with them. The history is read
   * again, because an engine may have been open meanwhile.
   */
  public void resume() {
    points.forgetLast();
    if (phase == Phase.HISTORY) {
      phase = Phase.NOTHING;
    }
  }

  /** What is new. */
  public List<FeedEvent> look() {
    List<FeedEvent> events = new ArrayList<>();
    try {
      Source.Reading reading = source.read();
      JsonNode statistics = reading.statistics();
      if (statistics == null) {
        history(events);
        state(events, "HISTORY", reading.state(), null);
      } else {
        live(events, statistics);
        state(events, "LIVE", reading.state(), statistics);
      }
    } catch (IOException e) {
      points.forgetLast();
      state(events, "LOST", String.valueOf(e.getMessage()), null);
    }
    return events;
  }

  private void state(
      List<FeedEvent> events, String kind, String text, @Nullable JsonNode statistics) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("title", source.title());
    json.put("kind", kind);
    json.put("text", text);
    if (statistics != null) {
      json.set("mode", statistics.at("/memory/tuner/mode"));
      json.set("totalBytes", statistics.at("/memory/totalBytes"));
      json.set("fixedBytes", statistics.at("/memory/fixedBytes"));
      json.set("oneIn", statistics.at("/times/oneIn"));
      json.set("fence", statistics.at("/health/fence"));
    }
    FeedEvent now = FeedEvent.of(Kind.STATE, json);
    if (!now.equals(state)) {
      state = now;
      events.add(now);
    }
  }

  // ---- No engine.

  private void history(List<FeedEvent> events) {
    if (phase != Phase.HISTORY) {
      begin(events, Phase.HISTORY);
      cycles(events, Cycles.ofLastOpening(source.history()), 0);
    }
  }

  private void begin(List<FeedEvent> events, Phase next) {
    phase = next;
    points.forgetLast();
    lastCycle = 0;
    events.add(FeedEvent.of(Kind.OPENING, JsonNodeFactory.instance.objectNode()));
  }

  /** Tells the entries of one opening that are after a cycle. */
  private static void cycles(List<FeedEvent> events, List<HistoryEntry> entries, long after) {
    for (int i = Math.max(0, entries.size() - MOST_CYCLES); i < entries.size(); i++) {
      if (entries.get(i).cycle() <= after) {
        continue;
      }
      HistoryEntry before = i == 0 ? null : entries.get(i - 1);
      events.add(FeedEvent.of(Kind.POINT, Cycles.point(before, entries.get(i))));
      events.add(FeedEvent.of(Kind.DECISION, Cycles.decision(entries.get(i))));
    }
  }

  // ---- An engine.

  private void live(List<FeedEvent> events, JsonNode statistics) {
    double now = Points.seconds(statistics);
    JsonNode tuner = statistics.at("/memory/tuner");
    JsonNode last = tuner.path("last");
    long cycle = last.path("cycle").asLong();
    double opened = clock.getAsLong() / 1e9 - now;
    boolean begins =
        phase != Phase.LIVE
            || now < lastSeconds
            || cycle < lastCycle
            || Math.abs(opened - lastOpened) > SAME_OPENING_SECONDS;
    if (begins) {
      begin(events, Phase.LIVE);
    }
    if (cycle > lastCycle) {
      // What no look has seen is in the history, if that is within reach.
      boolean missed = begins || cycle > lastCycle + 1;
      List<HistoryEntry> known = missed ? Cycles.upTo(last, source.history()) : List.of();
      cycles(events, known, lastCycle);
      if (known.isEmpty()) {
        events.add(FeedEvent.of(Kind.DECISION, Cycles.decision(tuner, now)));
      }
    }
    lastCycle = cycle;
    lastSeconds = now;
    lastOpened = opened;
    events.add(FeedEvent.of(Kind.POINT, points.next(statistics)));
  }
}
