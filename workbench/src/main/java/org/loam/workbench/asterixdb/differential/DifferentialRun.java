package org.loam.workbench.asterixdb.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.loam.workbench.console.CommandException;

/** Runs statements on both clusters until an answer differs, and counts them. */
final class DifferentialRun {
  private static final int SHOWN_ENDS = 10;

  private final StoragePair pair;
  private final BiConsumer<Statement, Outcome> listener;
  private final Map<StatementKind, Integer> counts = new EnumMap<>(StatementKind.class);
  private final Map<String, Integer> refusals = new TreeMap<>();
  private final List<String> ends = new ArrayList<>();
  private List<Statement> done = List.of();
  private int statements;
  private long rows;

  /**
   * @param listener told of each statement, and of the outcome on the first cluster
   */
  DifferentialRun(StoragePair pair, BiConsumer<Statement, Outcome> listener) {
    this.pair = pair;
    this.listener = listener;
  }

  /** Runs statements on clusters that are made empty before. */
  Optional<Difference> run(Iterator<Statement> script) throws InterruptedException {
    List<Statement> ran = new ArrayList<>();
    done = Collections.unmodifiableList(ran);
    pair.reset();
    while (script.hasNext()) {
      Statement statement = script.next();
      ran.add(statement);
      Optional<Difference> difference;
      try {
        difference = pair.run(statement);
      } catch (CommandException e) {
        // A cluster does not start again: nothing more can be said about this seed.
        note(statement, String.valueOf(e.getMessage()));
        return Optional.empty();
      }
      listener.accept(statement, pair.last());
      if (difference.isPresent()) {
        return difference;
      }
      count(statement);
    }
    return Optional.empty();
  }

  private void count(Statement statement) {
    statements++;
    counts.merge(statement.kind(), 1, Integer::sum);
    Outcome outcome = pair.last();
    rows += outcome.rows().size();
    if (outcome.isRefused()) {
      refusals.merge(statement.kind() + " " + outcome.fault(), 1, Integer::sum);
    }
    if (outcome.isEnd()) {
      note(statement, outcome.message());
    }
  }

  private void note(Statement statement, String message) {
    if (ends.size() < SHOWN_ENDS) {
      ends.add(statement.number() + ": " + statement.summary() + ": " + message);
    }
  }

  /** What the last run ran, with the statement that differs at the end. */
  List<Statement> done() {
    return done;
  }

  /** What was answered alike in all runs. */
  Tally tally() {
    return new Tally(statements, rows, counts, refusals, ends);
  }

  /** Makes the statements of the last run, which had a difference, few. */
  List<Statement> shrink(BooleanSupplier enough) throws InterruptedException {
    return new Shrinker(
            List.copyOf(done),
            fewer -> new DifferentialRun(pair, listener).run(fewer.iterator()).isPresent(),
            enough)
        .shrink();
  }
}
