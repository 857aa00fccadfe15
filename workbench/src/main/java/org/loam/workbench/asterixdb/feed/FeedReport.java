package org.loam.workbench.asterixdb.feed;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Formatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.Machine;

/**
 * What the demonstration of feeds found.
 *
 * @param source of the records
 * @param records that each feed sends
 * @param recordBytes characters of their JSON, in all
 * @param fileFeedPerSecond records that the feed of a file brought
 * @param socketFeedPerSecond records that the socket feed brought when nobody disturbed it
 * @param sent records given to the socket when the node was killed
 * @param seen records that a query had shown by then
 * @param recovered records that were there when the node was back
 * @param lost of those that a query had shown, those that were not; must be 0
 * @param recoverySeconds from the start of the node to the first answer
 * @param queries that were compared, before and after the kill
 * @param wrong answers; must be 0
 * @param flushes of all nodes
 * @param merges of all nodes
 * @param seconds the whole demonstration
 * @param directory of the cluster, if it was kept
 * @param machine that it ran on
 */
record FeedReport(
    @JsonProperty("source") String source,
    @JsonProperty("records") int records,
    @JsonProperty("recordBytes") long recordBytes,
    @JsonProperty("fileFeedPerSecond") long fileFeedPerSecond,
    @JsonProperty("socketFeedPerSecond") long socketFeedPerSecond,
    @JsonProperty("sent") int sent,
    @JsonProperty("seen") int seen,
    @JsonProperty("recovered") int recovered,
    @JsonProperty("lost") int lost,
    @JsonProperty("recoverySeconds") double recoverySeconds,
    @JsonProperty("queries") long queries,
    @JsonProperty("wrong") long wrong,
    @JsonProperty("flushes") long flushes,
    @JsonProperty("merges") long merges,
    @JsonProperty("seconds") double seconds,
    @JsonProperty("directory") @Nullable String directory,
    @JsonProperty("machine") Machine machine) {
  @JsonIgnore
  boolean isClean() {
    return lost == 0 && wrong == 0;
  }

  /** One line for each fact. */
  String text() {
    Formatter text = new Formatter(Locale.ROOT);
    text.format("source     %s%n", source);
    text.format("records    %,d, %,d bytes of JSON%n", records, recordBytes);
    text.format(
        "feeds      of a file %,d records/s, of a socket %,d records/s%n",
        fileFeedPerSecond, socketFeedPerSecond);
    text.format("killed     nc2, with %,d records sent and %,d shown by queries%n", sent, seen);
    text.format("recovered  %,d records, in %.1f s%n", recovered, recoverySeconds);
    text.format("lost       %,d%n", lost);
    text.format("queries    %,d compared, %,d wrong%n", queries, wrong);
    text.format("disk       %,d flushes, %,d merges%n", flushes, merges);
    if (directory != null) {
      text.format("kept in    %s%n", directory);
    }
    text.format("time       %.1f s%n", seconds);
    text.format("result     %s%n", isClean() ? "all as it must be" : "FAILED: see what is not 0");
    return text.toString();
  }
}
