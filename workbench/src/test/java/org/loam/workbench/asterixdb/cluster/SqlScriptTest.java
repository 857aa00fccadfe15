package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlScriptTest {
  private static List<String> texts(String script) {
    return SqlScript.statements(script).stream().map(SqlScript.Statement::text).toList();
  }

  private static List<Integer> lines(String script) {
    return SqlScript.statements(script).stream().map(SqlScript.Statement::line).toList();
  }

  @Test
  void semicolonsDivideStatementsAndTheLastNeedsNone() {
    assertThat(texts("SELECT 1; SELECT 2 ;\t;SELECT 3"))
        .containsExactly("SELECT 1", "SELECT 2 ", "SELECT 3");
    assertThat(texts("")).isEmpty();
    assertThat(texts(" ;\n; -- nothing\n /* ; */ // ;")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 'a;b'",
        "SELECT \"a;b\"",
        "SELECT `a;b`",
        "SELECT 'it\\'s;'",
        "SELECT \"\\\\\" || ';'",
        "SELECT 'it''s;'",
        "SELECT 1 -- one; two\n",
        "SELECT 1 // one; two\n + 2",
        "SELECT 1 /* one; -- two \n three; */ + 2",
        "SELECT /*+ hint; */ 1",
        "SELECT 'never closed; SELECT 2",
        "SELECT 1 /* never closed; SELECT 2",
      })
  void semicolonsInTextsNamesAndCommentsDivideNothing(String statement) {
    assertThat(texts(statement)).containsExactly(statement);
  }

  @Test
  void aStatementBeginsOnItsLineOfTheScript() {
    String script = "\n-- about\nUSE a;\n\nSELECT 1;\nSELECT\n2;";
    assertThat(lines(script)).containsExactly(3, 5, 6);
    assertThat(texts(script))
        .containsExactly("\n\nUSE a", "USE a;\n\n\n\nSELECT 1", "USE a;\n\n\n\n\nSELECT\n2");
  }

  @Test
  void whatARequestForgetsIsSaidInEach() {
    assertThat(
            texts("SET `x` \"1\"; USE a; DECLARE FUNCTION f() { 1 }; SELECT f(); USE b; SELECT 2"))
        .containsExactly(
            "SET `x` \"1\"",
            "SET `x` \"1\";USE a",
            "USE a;SET `x` \"1\";DECLARE FUNCTION f() { 1 }",
            "USE a;SET `x` \"1\";DECLARE FUNCTION f() { 1 };SELECT f()",
            "USE a;SET `x` \"1\";DECLARE FUNCTION f() { 1 };USE b",
            "USE b;SET `x` \"1\";DECLARE FUNCTION f() { 1 };SELECT 2");
  }

  @Test
  void linesFitEvenIfWhatIsInFrontHasSeveral() {
    assertThat(texts("DECLARE FUNCTION f() {\n 1 -- one\n};\nSELECT f()"))
        .containsExactly(
            "DECLARE FUNCTION f() {\n 1 -- one\n}",
            "DECLARE FUNCTION f() {\n 1 -- one\n};\nSELECT f()");
  }

  @Test
  void aDroppedDataverseIsNotUsedAnyMore() {
    assertThat(texts("use `a`.b; drop dataverse A; drop dataverse a . b if exists; SELECT 1"))
        .containsExactly(
            "use `a`.b",
            "use `a`.b;drop dataverse A",
            "use `a`.b;drop dataverse a . b if exists",
            "SELECT 1");
  }
}
