package org.loam.workbench.asterixdb.differential;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;

/**
 * A statement that two clusters answer differently.
 *
 * @param statement its number within its seed
 * @param text of the statement
 * @param what the first thing that is different
 */
public record Difference(
    @JsonProperty("statement") int statement,
    @JsonProperty("text") String text,
    @JsonProperty("what") List<String> what) {
  private static final int SHOWN_ROWS = 5;
  private static final int SHOWN_CHARACTERS = 600;

  static Difference of(
      Statement statement,
      DifferentialTarget first,
      Outcome one,
      DifferentialTarget second,
      Outcome other) {
    List<String> what = new ArrayList<>();
    describe(what, first.name(), one, other);
    describe(what, second.name(), other, one);
    return new Difference(statement.number(), statement.summary(), what);
  }

  private static void describe(List<String> what, String name, Outcome mine, Outcome others) {
    if (mine.isRefused()) {
      what.add(name + ": " + mine.fault() + ", " + shortened(mine.message()));
      return;
    }
    what.add(name + ": " + mine.rows().size() + " rows");
    List<String> only = new ArrayList<>(mine.rows());
    others.rows().forEach(only::remove);
    only.stream().limit(SHOWN_ROWS).forEach(row -> what.add(name + " alone: " + shown(row)));
    if (only.size() > SHOWN_ROWS) {
      what.add(name + " alone: " + (only.size() - SHOWN_ROWS) + " more");
    }
    if (only.isEmpty() && mine.rows().size() == others.rows().size()) {
      mine.rows().stream()
          .limit(SHOWN_ROWS)
          .forEach(row -> what.add(name + " in its order: " + shown(row)));
    }
  }

  private static String shown(String row) {
    return shortened(LosslessRow.readable(row));
  }

  private static String shortened(String text) {
    return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + " ...";
  }
}
