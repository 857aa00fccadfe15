package org.loam.workbench.asterixdb.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.CommandException;

/** Statements as a file. */
class StatementScriptTest {
  @Test
  void whatIsWrittenIsRead() {
    List<Statement> statements = new ArrayList<>();
    new StatementGenerator(1, 300, 1, 1).forEachRemaining(statements::add);
    List<String> lines = StatementScript.write(List.of("found by chance"), statements);
    assertThat(lines.get(0)).isEqualTo("-- found by chance");
    assertThat(StatementScript.read(lines)).isEqualTo(statements);
  }

  @Test
  void whatIsNoneIsRefused() {
    for (List<String> lines :
        List.of(
            List.<String>of(),
            List.of("SELECT 1;"),
            List.of("--# 1 SCAN"),
            List.of("--# x SCAN", "SELECT 1;"),
            List.of("--# 1 NOTHING", "SELECT 1;"))) {
      assertThatThrownBy(() -> StatementScript.read(lines)).isInstanceOf(CommandException.class);
    }
  }
}
