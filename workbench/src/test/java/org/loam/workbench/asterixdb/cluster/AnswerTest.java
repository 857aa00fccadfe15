package org.loam.workbench.asterixdb.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.Json;

class AnswerTest {
  private final List<String> rows = new ArrayList<>();

  private Answer read(String text) throws IOException {
    return Answer.read(
        new ByteArrayInputStream(text.getBytes(UTF_8)), row -> rows.add(Json.line(row)));
  }

  @Test
  void rowsComeAsTheyWereWritten() throws IOException {
    Answer answer =
        read(
            """
            { "requestID": "4f", "signature": { "*": "*" },
              "results": [ { "id": 1, "x": 12345678901234567890.50, "o": { "a": [ ] } }
            , "text"
            , null
             ]
            , "plans":{}, "status": "success", "metrics": { "resultCount": 3 } }
            """);
    assertThat(answer.isSuccess()).isTrue();
    assertThat(rows)
        .containsExactly(
            "{\"id\":1,\"x\":12345678901234567890.50,\"o\":{\"a\":[]}}", "\"text\"", "null");
  }

  /** Jackson's own limit is 20,000,000. */
  @Test
  void aRowMayBeALongText() throws IOException {
    String text = "x".repeat(20_000_001);
    assertThat(read("{ \"results\": [ \"" + text + "\" ], \"status\": \"success\" }").isSuccess())
        .isTrue();
    assertThat(rows).singleElement().asString().hasSize(text.length() + 2);
  }

  @Test
  void aStatementMayHaveNoRows() throws IOException {
    assertThat(read("{ \"plans\":{}, \"status\": \"success\" }").isSuccess()).isTrue();
    assertThat(rows).isEmpty();
  }

  @Test
  void anErrorIsNoSuccessWhateverTheStatus() throws IOException {
    Answer answer =
        read(
            """
            { "errors": [{ "code": 1, "msg": "ASX1077: no such\\n dataset" }],
              "status": "success", "metrics": { "errorCount": 1 } }
            """);
    assertThat(answer.isSuccess()).isFalse();
    assertThat(answer.error()).isEqualTo("ASX1077: no such\n dataset");
    assertThat(read("{ \"status\": \"fatal\" }").isSuccess()).isFalse();
    assertThat(read("{ }").isSuccess()).isFalse();
  }

  @Test
  void warningsAreNoErrors() throws IOException {
    Answer answer =
        read(
            """
            { "warnings": [{ "code": 1, "msg": "LOAM0001: none" }, { "code": 1, "msg": "ASX1" }],
              "status": "success", "metrics": { "warningCount": 2 } }
            """);
    assertThat(answer.isSuccess()).isTrue();
    assertThat(answer.warnings()).containsExactly("LOAM0001: none", "ASX1");
  }

  @Test
  void theMessageIsOneLineAndHasACode() {
    StatementException e = new StatementException(3, "ASX1077: no such\n\t dataset ");
    assertThat(e).hasMessage("ASX1077: no such dataset");
    assertThat(e.code()).isEqualTo("ASX1077");
    assertThat(e.line()).isEqualTo(3);
    assertThat(new StatementException(1, "java.io.IOException: gone").code()).isEmpty();
  }

  @Test
  void anAnswerThatBreaksOffIsAFaultAfterItsRows() {
    assertThatThrownBy(() -> read("{ \"requestID\": \"4f\", \"results\": [ 1\n, 2\n ]\n"))
        .isInstanceOf(IOException.class);
    assertThat(rows).containsExactly("1", "2");
  }

  @Test
  void whatIsNoAnswerIsAFault() {
    assertThatThrownBy(() -> read("")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read("[]")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> read("<html>")).isInstanceOf(IOException.class);
  }
}
