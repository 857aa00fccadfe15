package org.loam.workbench.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.CommandException;

/** Input becomes records with the numbers of their lines. */
class ReaderTest {
  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  /** All that a reader finds, with line numbers; a failure in parentheses. */
  private static List<String> all(RecordReader reader) throws IOException {
    List<String> found = new ArrayList<>();
    while (true) {
      try {
        InputRecord record = reader.next();
        if (record == null) {
          return found;
        }
        found.add(record.line() + " " + new String(record.json(), UTF_8));
      } catch (BadRecordException e) {
        found.add(e.line() + " (" + e.reason() + ")");
        if (!e.goesOn()) {
          return found;
        }
      }
    }
  }

  private static List<String> csv(String text, String... texts) {
    try {
      return all(new CsvReader(bytes(text), Set.of(texts)));
    } catch (IOException | BadRecordException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void blankLinesCountButAreNoRecords() throws IOException {
    assertThat(all(new JsonLinesReader(bytes("\n{}\n \t\r\n\n {} \r\n{}"))))
        .containsExactly("2 {}", "5  {} \r", "6 {}");
    assertThat(all(new JsonLinesReader(bytes("")))).isEmpty();
  }

  @Test
  void aByteOrderMarkIsNoPartOfARecord() throws IOException {
    assertThat(all(new JsonLinesReader(bytes("\ufeff{}\n\ufeff{}"))))
        .containsExactly("1 {}", "2 \ufeff{}");
    assertThat(csv("\ufeffa\n1")).containsExactly("2 {\"a\":1}");
  }

  @Test
  void aLineThatNeverEndsIsRefusedAndPassedOver() throws IOException {
    String limit = "x".repeat(16 << 20);
    assertThat(all(new JsonLinesReader(bytes(limit + "\n" + limit + "y\n{}"))))
        .hasSize(3)
        .contains("3 {}")
        .contains("2 (more than 16777216 bytes; there must be one record on each line)");
  }

  @Test
  void cellsAreScalarsIfTheyLookLikeIt() {
    assertThat(
            csv(
                "a,b,c\n1,1.10,-0.5e3\ntrue,false,null\n007,1., 1\n,x,\"\"\n"
                    + "123456789012345678901234567890,-,0x1\n"))
        .containsExactly(
            "2 {\"a\":1,\"b\":1.10,\"c\":-5E+2}",
            "3 {\"a\":true,\"b\":false,\"c\":null}",
            "4 {\"a\":\"007\",\"b\":\"1.\",\"c\":\" 1\"}",
            "5 {\"b\":\"x\"}",
            "6 {\"a\":123456789012345678901234567890,\"b\":\"-\",\"c\":\"0x1\"}");
    assertThat(csv("a,b\n1,\n", "a", "b")).containsExactly("2 {\"a\":\"1\",\"b\":\"\"}");
  }

  @Test
  void bytesThatAreNotUtf8SpoilTheirRowAndNoOther() throws IOException, BadRecordException {
    ByteArrayOutputStream input = new ByteArrayOutputStream();
    input.write("a,b\n1,\u00fc\n2,".getBytes(UTF_8));
    input.write(0xff);
    input.write("\n\"3\",\u20ac\n".getBytes(UTF_8));
    assertThat(all(new CsvReader(new ByteArrayInputStream(input.toByteArray()), Set.of())))
        .containsExactly(
            "2 {\"a\":1,\"b\":\"\u00fc\"}",
            "3 (column 2 is not UTF-8)",
            "4 {\"a\":3,\"b\":\"\u20ac\"}");
  }

  @Test
  void namesThatAreNotUtf8AreRefused() {
    byte[] input = {(byte) 0xff, '\n', '1', '\n'};
    assertThatThrownBy(() -> new CsvReader(new ByteArrayInputStream(input), Set.of()))
        .isInstanceOf(BadRecordException.class)
        .hasMessage("column 1 is not UTF-8");
  }

  @Test
  void rowsAreCountedByLines() {
    assertThat(csv("a,b\n\n1,\"x\n\"\"y\"\"\"\n2\n\n3,4,5\r\n6,7\n\"8"))
        .containsExactly(
            "3 {\"a\":1,\"b\":\"x\\n\\\"y\\\"\"}",
            "5 (the row has 1 columns, the first row names 2)",
            "7 (the row has 3 columns, the first row names 2)",
            "8 {\"a\":6,\"b\":7}",
            "9 (malformed CSV: Missing closing quote for value)");
  }

  @Test
  void blanksAtTheBeginningOfARowAreOfItsFirstCell() {
    assertThat(csv("a,b\n x,1\nx, y\n"))
        .containsExactly("2 {\"a\":\" x\",\"b\":1}", "3 {\"a\":\"x\",\"b\":\" y\"}");
  }

  @Test
  void blankLinesAreNoRows() {
    assertThat(csv(" \n\na\n\n  \n1\r\n \r\n\t\n2\n\n "))
        .containsExactly("6 {\"a\":1}", "8 {\"a\":\"\\t\"}", "9 {\"a\":2}");
    assertThat(csv("a,b\n\n ,\n  \n1,2\n  "))
        .containsExactly("3 {\"a\":\" \"}", "5 {\"a\":1,\"b\":2}");
  }

  @Test
  void theFirstRowMustNameTheFields() {
    for (String wrong : List.of("", "\n", "a,a\n", "a,\n")) {
      assertThatThrownBy(() -> csv(wrong)).isInstanceOf(CommandException.class);
    }
    assertThatThrownBy(() -> csv("a\n", "b"))
        .isInstanceOf(CommandException.class)
        .hasMessage("--text names the fields [b], the input has [a]");
  }
}
