package org.loam.workbench.asterixdb.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What counts as a difference, and what is done about it. */
class DifferentialRunTest {
  private static final Outcome DONE = Outcome.of(List.of(), true);

  @TempDir Path directory;

  private StoragePair pair(FakeTarget stock, FakeTarget loam) {
    return new StoragePair(new LoadFiles(directory.resolve("load")), stock, loam);
  }

  private static Statement statement(int number, String text) {
    return Statement.of(number, StatementKind.SCAN, text, false, "");
  }

  private Optional<Difference> difference(
      boolean ordered, Function<Statement, Outcome> first, Function<Statement, Outcome> second)
      throws InterruptedException {
    try (StoragePair pair = pair(new FakeTarget("stock", first), new FakeTarget("loam", second))) {
      return pair.run(Statement.of(1, StatementKind.SCAN, "SELECT 1;", ordered, ""));
    }
  }

  private static Function<Statement, Outcome> rows(String... rows) {
    return statement -> Outcome.of(List.of(rows), statement.ordered());
  }

  @Test
  void orderCountsOnlyWhereSqlFixesIt() throws InterruptedException {
    assertThat(difference(false, rows("1", "2"), rows("2", "1"))).isEmpty();
    Difference difference = difference(true, rows("1", "2"), rows("2", "1")).orElseThrow();
    assertThat(difference.what())
        .containsExactly(
            "stock: 2 rows",
            "stock in its order: 1",
            "stock in its order: 2",
            "loam: 2 rows",
            "loam in its order: 2",
            "loam in its order: 1");
  }

  @Test
  void aRowMoreOrTwiceIsADifference() throws InterruptedException {
    assertThat(difference(false, rows("1", "2"), rows("2")).orElseThrow().what())
        .containsExactly("stock: 2 rows", "stock alone: 1", "loam: 1 rows");
    assertThat(difference(false, rows("1"), rows("1", "1")).orElseThrow().what())
        .containsExactly("stock: 1 rows", "loam: 2 rows", "loam alone: 1");
    assertThat(difference(false, rows("1"), rows("1.0"))).isPresent();
  }

  /** In the format {@code adm} these rows are the same. */
  @Test
  void numbersOfOtherTypesAreADifference() throws InterruptedException {
    assertThat(difference(false, rows("[\"01:3\",3]"), rows("[3,3]")).orElseThrow().what())
        .containsExactly(
            "stock: 1 rows",
            "stock alone: [tinyint(\"3\"),3]",
            "loam: 1 rows",
            "loam alone: [3,3]");
    String fractions = "{\"a\":\"0B:1036831949\",\"b\":\"0C:4591870180066957722\",\"c\":\":0B:7\"}";
    assertThat(LosslessRow.readable(fractions))
        .isEqualTo("{\"a\":float(\"0.1\"),\"b\":0.1,\"c\":\":0B:7\"}");
  }

  @Test
  void errorsAreTheSameByCodeOrClass() throws InterruptedException {
    assertThat(
            difference(
                false,
                s -> Outcome.refused("ASX0001", "ASX0001: one"),
                s -> Outcome.refused("ASX0001", "ASX0001: other")))
        .isEmpty();
    assertThat(
            difference(
                false,
                s -> Outcome.refused("", "type mismatch: missing a field k0: int8"),
                s -> Outcome.refused("", "type mismatch: missing a field k1: int8")))
        .isEmpty();
    assertThat(
            difference(
                false,
                s -> Outcome.refused("ASX0001", "ASX0001: one"),
                s -> Outcome.refused("ASX0002", "ASX0002: one")))
        .isPresent();
    assertThat(difference(false, s -> Outcome.refused("ASX0001", "no"), rows())).isPresent();
  }

  @Test
  void bothClustersAreGivenOneFile() throws InterruptedException {
    // What the first leaves in the file is what the second finds: it is not written again.
    CountDownLatch left = new CountDownLatch(1);
    FakeTarget stock =
        new FakeTarget(
            "stock",
            statement -> {
              Path file = Path.of(statement.text());
              Outcome read = Outcome.of(lines(file), true);
              write(file, "left");
              left.countDown();
              return read;
            });
    FakeTarget loam =
        new FakeTarget(
            "loam",
            statement -> {
              await(left);
              return Outcome.of(lines(Path.of(statement.text())), true);
            });
    try (StoragePair pair = pair(stock, loam)) {
      Statement load =
          new Statement(7, StatementKind.LOAD, Statement.FILE, true, "", List.of("1", "2"));
      Difference difference = pair.run(load).orElseThrow();
      assertThat(difference.text()).isEqualTo(Statement.FILE);
      assertThat(difference.what())
          .contains("stock alone: 1", "stock alone: 2", "loam alone: left");
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, String line) {
    try {
      Files.writeString(file, line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anErrorOfAKnownFaultIsNoDifference() throws InterruptedException {
    Outcome watermark =
        Outcome.refused("", "IllegalStateException: Low watermark should always be increasing");
    Outcome other = Outcome.refused("HYR0034", "not empty");
    for (StatementKind kind : List.of(StatementKind.LOAD_REFUSED, StatementKind.INSERT)) {
      try (StoragePair pair =
          pair(new FakeTarget("stock", s -> watermark), new FakeTarget("loam", s -> other))) {
        assertThat(pair.run(Statement.of(1, kind, "LOAD", false, "")).isPresent())
            .isEqualTo(kind == StatementKind.INSERT);
      }
    }
  }

  @Test
  void aClusterThatDoesNotStartAgainEndsTheSeed() throws InterruptedException {
    Function<Statement, Outcome> answers = s -> new Outcome(List.of(), Outcome.ENDED, "broke off");
    try (StoragePair pair =
        pair(
            new FakeTarget("stock", answers, "it does not start"),
            new FakeTarget("loam", answers))) {
      DifferentialRun run = new DifferentialRun(pair, (statement, outcome) -> {});
      assertThat(run.run(List.of(statement(1, "a"), statement(2, "b")).iterator())).isEmpty();
      assertThat(run.tally().ends()).containsExactly("1: a: it does not start");
    }
  }

  @Test
  void aRunEndsAtTheFirstDifference() throws InterruptedException {
    // The answer to "look" is wrong if "break" came before.
    FakeTarget stock = new FakeTarget("stock", statement -> DONE);
    List<String> said = new ArrayList<>();
    FakeTarget loam =
        new FakeTarget(
            "loam",
            statement -> {
              said.add(statement.text());
              return statement.text().equals("look") && said.contains("break")
                  ? Outcome.of(List.of("x"), true)
                  : DONE;
            });
    try (StoragePair pair = pair(stock, loam)) {
      DifferentialRun run = new DifferentialRun(pair, (statement, outcome) -> {});
      List<Statement> script =
          List.of(
              statement(1, "a"), statement(2, "break"), statement(3, "look"), statement(4, "b"));
      Difference difference = run.run(script.iterator()).orElseThrow();
      assertThat(difference.statement()).isEqualTo(3);
      assertThat(run.tally().statements()).isEqualTo(2);
      assertThat(run.done()).hasSize(3);
      assertThat(stock.told).containsExactly("reset", "a", "break", "look");
    }
  }

  @Test
  void aStatementThatBothRefuseIsCleanedUp() throws InterruptedException {
    Function<Statement, Outcome> answers =
        statement ->
            statement.text().startsWith("INSERT") ? Outcome.refused("HYR0033", "duplicate") : DONE;
    FakeTarget stock = new FakeTarget("stock", answers);
    FakeTarget loam = new FakeTarget("loam", answers);
    try (StoragePair pair = pair(stock, loam)) {
      DifferentialRun run = new DifferentialRun(pair, (statement, outcome) -> {});
      assertThat(
              run.run(
                  List.of(
                          Statement.of(
                              1, StatementKind.INSERT_DUPLICATE, "INSERT 1", false, "DELETE 1"))
                      .iterator()))
          .isEmpty();
      assertThat(run.tally().refusals()).containsOnlyKeys("INSERT_DUPLICATE HYR0033");
    }
    assertThat(loam.told).containsExactly("reset", "INSERT 1", "DELETE 1");
    assertThat(stock.told).isEqualTo(loam.told);
  }

  @Test
  void nodesThatEndOnBothAreStartedAndNoted() throws InterruptedException {
    Function<Statement, Outcome> answers = s -> new Outcome(List.of(), Outcome.ENDED, "broke off");
    FakeTarget stock = new FakeTarget("stock", answers);
    FakeTarget loam = new FakeTarget("loam", answers);
    try (StoragePair pair = pair(stock, loam)) {
      DifferentialRun run = new DifferentialRun(pair, (statement, outcome) -> {});
      assertThat(run.run(List.of(statement(1, "a")).iterator())).isEmpty();
      assertThat(run.tally().ends()).containsExactly("1: a: broke off");
    }
    assertThat(loam.told).containsExactly("reset", "a", "revive");
  }
}
