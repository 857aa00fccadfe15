package org.loam.workbench.asterixdb.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;

/** Cases by group and name, and what is said if none is left. */
class SuiteSelectionTest {
  private static final List<SuiteCase> CASES =
      List.of(
          suiteCase("ddl", "ddl/drop"),
          suiteCase("dml", "dml/insert"),
          suiteCase("dml", "dml/load-all"),
          suiteCase("upsert", "upsert/insert-twice"));

  private static SuiteCase suiteCase(String group, String name) {
    return new SuiteCase(group, name, List.of());
  }

  private static List<SuiteSelection.Chosen> choose(List<String> groups, @Nullable String name) {
    return SuiteSelection.choose(
        CASES,
        groups,
        name == null ? null : Pattern.compile(name),
        one -> one.name().contains("load") ? Optional.of("needs data/a.adm") : Optional.empty());
  }

  private static List<Integer> numbers(List<String> groups, @Nullable String name) {
    return choose(groups, name).stream().map(SuiteSelection.Chosen::number).toList();
  }

  @Test
  void casesKeepTheirNumberInTheSuite() {
    assertThat(numbers(List.of("upsert", "ddl"), null)).containsExactly(0, 3);
    assertThat(numbers(List.of("all"), null)).containsExactly(0, 1, 2, 3);
    assertThat(numbers(List.of("all"), "insert")).containsExactly(1, 3);
    assertThat(numbers(List.of("dml"), "^dml/insert$")).containsExactly(1);
  }

  @Test
  void whatLacksSomethingIsChosenAndSaysSo() {
    SuitePlan plan = new SuitePlan(choose(List.of("dml"), null));
    assertThat(plan.cases())
        .extracting(one -> one.missing().orElse(""))
        .containsExactly("", "needs data/a.adm");
    assertThat(plan.runnable()).isOne();
  }

  @Test
  void nothingToRunIsAnError() {
    requireError(List.of("dml", "ddk"), null, ExitCode.USAGE, "'ddk'; choose from all, ddl, dml");
    requireError(List.of("ddl"), "insert", ExitCode.USAGE, "no case of ddl has a name with");
    requireError(List.of("dml"), "load", ExitCode.ENVIRONMENT, "--data");
  }

  private static void requireError(
      List<String> groups, @Nullable String name, int exitCode, String message) {
    assertThatThrownBy(() -> choose(groups, name))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> {
              assertThat(e.exitCode()).isEqualTo(exitCode);
              assertThat(e).hasMessageContaining(message);
            });
  }
}
