package org.loam.workbench.asterixdb.feed;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.loam.workbench.asterixdb.cluster.AsterixCluster;
import org.loam.workbench.console.Progress;

/**
 * Asks a dataset that feeds write to, and holds the answers against the records that the feeds
 * send. One thread.
 */
final class FeedAnswers {
  private static final int SHOWN_COMPLAINTS = 10;

  private final AsterixCluster cluster;
  private final FeedSchema schema;
  private final FeedRecords records;
  private final SplittableRandom random;

  /** The numbers of records that a query has shown. */
  private final BitSet seen = new BitSet();

  private long queries;
  private long wrong;

  FeedAnswers(AsterixCluster cluster, FeedSchema schema, FeedRecords records, long seed) {
    this.cluster = cluster;
    this.schema = schema;
    this.records = records;
    this.random = new SplittableRandom(seed);
  }

  /** Queries that were compared. */
  long queries() {
    return queries;
  }

  /** Wrong answers. */
  long wrong() {
    return wrong;
  }

  /** How many records queries have shown. */
  int seenCount() {
    return seen.cardinality();
  }

  private void complain(String what) {
    wrong++;
    if (wrong <= SHOWN_COMPLAINTS) {
      Progress.say("WRONG: " + what);
    }
  }

  private BitSet numbers(String dataset, String condition) throws InterruptedException {
    BitSet numbers = new BitSet();
    cluster.run(
        schema.numbers(dataset, condition),
        row -> {
          if (row.isInt() && row.intValue() >= 0 && row.intValue() < records.count()) {
            numbers.set(row.intValue());
          } else {
            complain("a record with number " + row + ", which was not sent");
          }
        });
    queries++;
    return numbers;
  }

  /** Sees which records are there now. AsterixDB shows a record when its commit is in the log. */
  void look() throws InterruptedException {
    seen.or(numbers(schema.socketDataset(), "true"));
  }

  /** Of those that a query had shown, how many are not there. */
  int lost() throws InterruptedException {
    BitSet lost = (BitSet) seen.clone();
    lost.andNot(numbers(schema.socketDataset(), "true"));
    if (!lost.isEmpty()) {
      Progress.say("LOST: record number " + lost.nextSetBit(0) + " and others");
    }
    return lost.cardinality();
  }

  /** Asks each index, which shows all that was seen before, and nothing that is something else. */
  void askIndexes() throws InterruptedException {
    for (FeedQuestion question : FeedQuestion.some(records, random)) {
      BitSet allowed = records.having(question.holds());
      BitSet missing = (BitSet) allowed.clone();
      missing.and(seen);
      BitSet answer = numbers(schema.socketDataset(), question.condition());
      missing.andNot(answer);
      answer.andNot(allowed);
      if (!missing.isEmpty()) {
        complain(missing.cardinality() + " records are missing where " + question.condition());
      }
      if (!answer.isEmpty()) {
        complain(answer.cardinality() + " records too many where " + question.condition());
      }
    }
  }

  /** Makes sure that questions are answered from secondary indexes. */
  void requireIndexed() throws InterruptedException {
    for (FeedQuestion question : FeedQuestion.some(records, random)) {
      String plan =
          cluster.rows(schema.plan(schema.socketDataset(), question.condition())).toString();
      if (!plan.contains(FeedSchema.INDEX_PREFIX)) {
        complain("no index is used where " + question.condition());
      }
    }
  }

  /** Compares each record that is there with the one that was sent; returns how many there are. */
  int compareRecords(String dataset) throws InterruptedException {
    int[] count = new int[1];
    cluster.run(
        schema.records(dataset),
        record -> {
          count[0]++;
          if (!records.has(record)) {
            complain("not what was sent: " + record);
          }
        });
    queries++;
    return count[0];
  }

  /** Compares all records; from now on indexes must show all that they should. */
  void requireAll(String dataset) throws InterruptedException {
    int count = compareRecords(dataset);
    if (count != records.count()) {
      complain(dataset + " has " + count + " records, must have " + records.count());
    }
    seen.set(0, records.count());
  }
}
