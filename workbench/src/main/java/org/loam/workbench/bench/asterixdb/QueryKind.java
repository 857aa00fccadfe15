package org.loam.workbench.bench.asterixdb;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.loam.workbench.bench.WrongAnswerException;

/** The queries, all of the first dataset of a schema that has all records. */
enum QueryKind {
  /** A record by its id. */
  POINT(1),
  /** A hundred records by their ids. */
  RANGE(100),
  /** A hundred records from all over, by a secondary index. */
  SECONDARY(BenchRecords.PART_RECORDS),
  /** How many records there are: a scan of all. */
  COUNT(1);

  private final int rows;

  QueryKind(int rows) {
    this.rows = rows;
  }

  String workload() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Any of its kind, all equally likely. */
  String statement(BenchSchema schema, BenchRecords records, SplittableRandom random) {
    long from = random.nextInt(records.count() - rows + 1);
    return switch (this) {
      case POINT -> schema.point(0, from);
      case RANGE -> schema.range(0, from, from + rows);
      case SECONDARY -> schema.part(0, random.nextInt(records.parts()));
      case COUNT -> schema.count(0);
    };
  }

  /**
   * Compares an answer with the records.
   *
   * @throws WrongAnswerException if it is wrong
   */
  void check(String statement, List<JsonNode> answer, BenchRecords records) {
    boolean right =
        answer.size() == rows
            && (this == COUNT
                ? answer.get(0).asInt(-1) == records.count()
                : answer.stream().allMatch(records::isRight));
    if (!right) {
      throw new WrongAnswerException(
          statement + " showed " + answer.size() + " rows, or others than there are");
    }
  }
}
