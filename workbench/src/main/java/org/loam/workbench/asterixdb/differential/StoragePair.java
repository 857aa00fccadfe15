package org.loam.workbench.asterixdb.differential;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.loam.workbench.console.CommandException;

/** Two clusters that are told the same at the same time. For one thread. */
final class StoragePair implements AutoCloseable {
  private static final int ANSWER_SECONDS = 180;

  private final LoadFiles files;
  private final DifferentialTarget first;
  private final DifferentialTarget second;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private Outcome last = Outcome.of(List.of(), true);

  /**
   * Two clusters that run.
   *
   * @param files what LOAD reads; both clusters must reach them
   */
  StoragePair(LoadFiles files, DifferentialTarget first, DifferentialTarget second) {
    this.files = files;
    this.first = first;
    this.second = second;
  }

  /**
   * Forgets what was there before.
   *
   * @throws CommandException if a cluster cannot
   */
  void reset() throws InterruptedException {
    Statement reset = Statement.of(0, StatementKind.RESET, "", true, "");
    Optional<Difference> difference = run(reset);
    if (difference.isPresent() || last.isRefused()) {
      first.renew();
      second.renew();
      difference = run(reset);
    }
    if (difference.isPresent() || last.isRefused()) {
      throw CommandException.failed("the clusters cannot be made empty: " + last.message());
    }
  }

  /** Runs a statement on both, and its cleanup if it fails on both. */
  Optional<Difference> run(Statement statement) throws InterruptedException {
    Optional<Difference> difference = runOnly(statement);
    if (difference.isEmpty() && last.isRefused() && !statement.cleanup().isEmpty()) {
      Outcome refused = last;
      difference =
          runOnly(
              Statement.of(statement.number(), statement.kind(), statement.cleanup(), false, ""));
      last = refused;
    }
    return difference;
  }

  private Optional<Difference> runOnly(Statement statement) throws InterruptedException {
    Statement told = files.write(statement);
    Future<Outcome> one = threads.submit(() -> first.run(told));
    Future<Outcome> other = threads.submit(() -> second.run(told));
    Outcome ofFirst = await(one);
    Outcome ofSecond = await(other);
    last = ofFirst;
    if (!ofFirst.isSameAs(ofSecond) && !KnownFault.isExpected(statement, ofFirst, ofSecond)) {
      return Optional.of(Difference.of(statement, first, ofFirst, second, ofSecond));
    }
    if (ofFirst.isEnd()) {
      first.revive();
      second.revive();
    }
    return Optional.empty();
  }

  /** What both said last. */
  Outcome last() {
    return last;
  }

  private static Outcome await(Future<Outcome> outcome) throws InterruptedException {
    try {
      return outcome.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      outcome.cancel(true);
      return new Outcome(List.of(), Outcome.SILENT, "after " + ANSWER_SECONDS + " seconds");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
