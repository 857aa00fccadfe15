package org.loam.workbench.asterixdb.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is left of statements. */
class ShrinkerTest {
  private int trials;

  private static Statement statement(int number) {
    StatementKind kind =
        switch (number % 10) {
          case 1 -> StatementKind.KILL;
          case 2, 3, 4 -> StatementKind.RANGE;
          default -> StatementKind.INSERT;
        };
    return Statement.of(number, kind, "d" + number % 3 + " " + number, false, "");
  }

  private List<Integer> shrunk(int count, int most, Set<Integer> needed)
      throws InterruptedException {
    List<Statement> statements = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      statements.add(statement(i));
    }
    trials = 0;
    return new Shrinker(
            statements,
            fewer -> {
              trials++;
              Set<Integer> numbers =
                  fewer.stream().map(Statement::number).collect(Collectors.toSet());
              return numbers.contains(count) && numbers.containsAll(needed);
            },
            () -> trials >= most)
        .shrink().stream().map(Statement::number).toList();
  }

  @Test
  void onlyWhatIsNeededIsLeft() throws InterruptedException {
    assertThat(shrunk(300, 1000, Set.of())).containsExactly(300);
    assertThat(shrunk(300, 1000, Set.of(17, 200, 299))).containsExactly(17, 200, 299, 300);
    // Of other datasets than the last one, a query, and a kill.
    assertThat(shrunk(300, 1000, Set.of(12, 41, 100))).containsExactly(12, 41, 100, 300);
    assertThat(shrunk(1, 1000, Set.of())).containsExactly(1);
  }

  @Test
  void classesThatSeldomMatterGoFirst() throws InterruptedException {
    shrunk(300, 3, Set.of(18, 21));
    assertThat(trials).isEqualTo(3);
    assertThat(shrunk(300, 2, Set.of(18, 21)))
        .as("without queries, and without other datasets, but with kills")
        .allMatch(number -> number % 10 == 1 || number % 3 == 0)
        .noneMatch(number -> number % 10 >= 2 && number % 10 <= 4);
  }

  @Test
  void aFileHasOnlyTheLinesThatAreNeeded() throws InterruptedException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      lines.add("line " + i);
    }
    Statement load = new Statement(1, StatementKind.LOAD, "d0", false, "", lines);
    List<Statement> shrunk =
        new Shrinker(
                List.of(load, statement(2)),
                fewer ->
                    fewer.size() == 2
                        && fewer.get(0).file().containsAll(List.of("line 3", "line 40")),
                () -> false)
            .shrink();
    assertThat(shrunk.get(0).file()).containsExactly("line 3", "line 40");
  }

  @Test
  void itEndsWhenItMust() throws InterruptedException {
    assertThat(shrunk(300, 10, Set.of(5, 6, 7, 8, 9)).size()).isBetween(6, 299);
    assertThat(trials).isEqualTo(10);
  }
}
