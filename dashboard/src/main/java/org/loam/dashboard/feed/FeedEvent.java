package org.loam.dashboard.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Something that a browser is told.
 *
 * @param kind what it is
 * @param json one line
 */
public record FeedEvent(Kind kind, String json) {
  /** What a browser is told of. */
  public enum Kind {
    /** Another opening of the engine: what was told of the one before is over. */
    OPENING,
    /** Where statistics come from, or why there are none. */
    STATE,
    /** A decision of the memory tuner. */
    DECISION,
    /** The series at a moment. */
    POINT
  }

  static FeedEvent of(Kind kind, JsonNode json) {
    return new FeedEvent(kind, json.toString());
  }

  /** As an event of a {@code text/event-stream}. */
  public byte[] frame() {
    return ("event: " + kind + "\ndata: " + json + "\n\n").getBytes(UTF_8);
  }
}
