package org.loam.workbench.asterixdb.feed;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.loam.workbench.console.Json;
import org.loam.workbench.demo.Shape;
import org.loam.workbench.demo.Values;

/**
 * What a secondary index can answer.
 *
 * @param condition on a record {@code r}, in SQL++
 * @param holds the same
 */
record FeedQuestion(String condition, Predicate<Values> holds) {
  /** A range of numbers goes this far above its beginning, in parts of that. */
  private static final int RANGE_FRACTION = 10;

  /** One for each index of the dataset, about what a record chosen by chance has. */
  static List<FeedQuestion> some(FeedRecords records, SplittableRandom random) {
    Shape shape = records.shape();
    Values values = records.values(random.nextInt(records.count()));
    long from = Math.max(0, values.number());
    long to = from + 1 + from / RANGE_FRACTION;
    String number = field(shape.numberField());
    String range = String.format(Locale.ROOT, "%s >= %d AND %s < %d", number, from, number, to);
    String inGroup = field(shape.groupField()) + " = " + Json.line(values.group());
    Predicate<Values> hasNumber = other -> other.number() >= from && other.number() < to;
    Predicate<Values> hasGroup = other -> other.group().equals(values.group());
    return List.of(
        new FeedQuestion(inGroup, hasGroup),
        new FeedQuestion(
            field(shape.textField()) + " = " + Json.line(values.text()),
            other -> other.text().equals(values.text())),
        new FeedQuestion(range, hasNumber),
        new FeedQuestion(inGroup + " AND " + range, hasGroup.and(hasNumber)));
  }

  private static String field(String name) {
    return "r.`" + name + "`";
  }
}
