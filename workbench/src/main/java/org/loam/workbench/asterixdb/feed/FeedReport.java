package org.loam.workbench.asterixdb.feed;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Formatter;
import java.util.Locale;
import org.loam.workbench.console.Circumstances;

/**
 * What the demonstration of feeds found. Its parts are groups of fields for the code; the document
 * is flat.
 *
 * @param given the records
 * @param feeds how fast they came
 * @param kill what the kill of a node did
 * @param answers of queries
 * @param disk what all nodes did to disk components
 * @param circumstances of the whole demonstration
 */
record FeedReport(
    @JsonUnwrapped Given given,
    @JsonUnwrapped Feeds feeds,
    @JsonUnwrapped Kill kill,
    @JsonUnwrapped Answers answers,
    @JsonUnwrapped Disk disk,
    @JsonUnwrapped Circumstances circumstances) {

  /**
   * The records.
   *
   * @param source of the records
   * @param records that each feed sends
   * @param recordBytes of their JSON in UTF-8, in all
   */
  record Given(
      @JsonProperty("source") String source,
      @JsonProperty("records") int records,
      @JsonProperty("recordBytes") long recordBytes) {}

  /**
   * How fast records came.
   *
   * @param fileFeedPerSecond records that the feed of a file brought
   * @param socketFeedPerSecond records that the socket feed brought while no node was killed
   */
  record Feeds(
      @JsonProperty("fileFeedPerSecond") long fileFeedPerSecond,
      @JsonProperty("socketFeedPerSecond") long socketFeedPerSecond) {}

  /**
   * What the kill of a node did.
   *
   * @param sent records given to the socket when the node was killed
   * @param seen records that a query had shown by then
   * @param recovered records that were there when the node was back
   * @param lost of those that a query had shown, those that were not; must be 0
   * @param recoverySeconds from the start of the node to the first answer
   */
  record Kill(
      @JsonProperty("sent") int sent,
      @JsonProperty("seen") int seen,
      @JsonProperty("recovered") int recovered,
      @JsonProperty("lost") int lost,
      @JsonProperty("recoverySeconds") double recoverySeconds) {}

  /**
   * Answers of queries.
   *
   * @param queries that were compared, before and after the kill
   * @param wrong answers; must be 0
   */
  record Answers(@JsonProperty("queries") long queries, @JsonProperty("wrong") long wrong) {}

  /**
   * What all nodes did to disk components.
   *
   * @param flushes of all nodes
   * @param merges of all nodes
   */
  record Disk(@JsonProperty("flushes") long flushes, @JsonProperty("merges") long merges) {}

  @JsonIgnore
  boolean isClean() {
    return kill.lost == 0 && answers.wrong == 0;
  }

  /** One line for each fact. */
  String text() {
    Formatter text = new Formatter(Locale.ROOT);
    text.format("source     %s%n", given.source);
    text.format("records    %,d, %,d bytes of JSON%n", given.records, given.recordBytes);
    text.format(
        "feeds      of a file %,d records/s, of a socket %,d records/s%n",
        feeds.fileFeedPerSecond, feeds.socketFeedPerSecond);
    text.format(
        "killed     nc2, with %,d records sent and %,d shown by queries%n", kill.sent, kill.seen);
    text.format("recovered  %,d records, in %.1f s%n", kill.recovered, kill.recoverySeconds);
    text.format("lost       %,d%n", kill.lost);
    text.format("queries    %,d compared, %,d wrong%n", answers.queries, answers.wrong);
    text.format("disk       %,d flushes, %,d merges%n", disk.flushes, disk.merges);
    if (circumstances.directory() != null) {
      text.format("kept in    %s%n", circumstances.directory());
    }
    text.format("time       %.1f s%n", circumstances.seconds());
    text.format("result     %s%n", isClean() ? "all as it must be" : "FAILED: see what is not 0");
    return text.toString();
  }
}
