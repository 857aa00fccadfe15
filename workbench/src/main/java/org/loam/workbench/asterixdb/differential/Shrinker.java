package org.loam.workbench.asterixdb.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Leaves statements out as long as what is left still has a difference: first whole classes that
 * seldom matter, then halves, quarters and so on down to single ones, and last the lines of files
 * (delta debugging, Zeller and Hildebrandt 2002).
 */
final class Shrinker {
  private static final Pattern DATASET = Pattern.compile("\\bd\\d+(?=Type|\\b)");

  /** Whether statements, on empty clusters, have a difference. */
  interface Trial {
    boolean differs(List<Statement> statements) throws InterruptedException;
  }

  private final Trial trial;
  private final BooleanSupplier enough;
  private List<Statement> best;

  /**
   * @param statements the last of which has the difference
   * @param enough whether to stop with the shortest script so far
   */
  Shrinker(List<Statement> statements, Trial trial, BooleanSupplier enough) {
    this.best = statements;
    this.trial = trial;
    this.enough = enough;
  }

  /** The shortest found. */
  List<Statement> shrink() throws InterruptedException {
    Statement last = best.get(best.size() - 1);
    List<String> datasets = datasets(last);
    without(statement -> statement.kind().isQuery());
    if (!datasets.isEmpty()) {
      without(
          statement ->
              !statement.kind().isDisruption()
                  && datasets(statement).stream().noneMatch(datasets::contains));
    }
    without(statement -> statement.kind().isDisruption());
    for (int length = best.size() / 2; length > 0; length /= 2) {
      withoutPieces(length);
    }
    for (int i = 0; i < best.size(); i++) {
      thinFile(i);
    }
    return best;
  }

  private static List<String> datasets(Statement statement) {
    List<String> names = new ArrayList<>();
    Matcher matcher = DATASET.matcher(statement.text());
    while (matcher.find()) {
      names.add(matcher.group());
    }
    return names;
  }

  private void without(Predicate<Statement> unwanted) throws InterruptedException {
    List<Statement> fewer = new ArrayList<>();
    for (int i = 0; i < best.size(); i++) {
      Statement statement = best.get(i);
      if (i == best.size() - 1 || !unwanted.test(statement)) {
        fewer.add(statement);
      }
    }
    tryOut(fewer);
  }

  /** From the end on, since what is near the difference matters more. */
  private void withoutPieces(int length) throws InterruptedException {
    for (int end = best.size() - 1; end > 0; end = Math.max(0, end - length)) {
      tryOut(without(best, Math.max(0, end - length), end));
    }
  }

  private static <T> List<T> without(List<T> list, int begin, int end) {
    List<T> fewer = new ArrayList<>(list.subList(0, begin));
    fewer.addAll(list.subList(end, list.size()));
    return fewer;
  }

  private void thinFile(int index) throws InterruptedException {
    for (int length = best.get(index).file().size() / 2; length > 0; length /= 2) {
      int end = best.get(index).file().size();
      for (; end > 0; end = Math.max(0, end - length)) {
        Statement statement = best.get(index);
        List<Statement> thinner = new ArrayList<>(best);
        thinner.set(
            index, statement.withFile(without(statement.file(), Math.max(0, end - length), end)));
        tryOut(thinner);
      }
    }
  }

  private void tryOut(List<Statement> fewer) throws InterruptedException {
    if (lines(fewer) < lines(best) && !enough.getAsBoolean() && trial.differs(fewer)) {
      best = List.copyOf(fewer);
    }
  }

  private static int lines(List<Statement> statements) {
    return statements.stream().mapToInt(statement -> 1 + statement.file().size()).sum();
  }
}
