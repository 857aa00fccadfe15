package org.loam.workbench.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.engine.json.JsonPath;

/** Tables of more than a page, and of what is not plain. */
class RecordTableTest {
  private final StringWriter said = new StringWriter();

  private List<String> lines() {
    return said.toString().lines().toList();
  }

  private static void print(RecordPrinter printer, String json) {
    assertThat(printer.print(json.replace('\'', '"').getBytes(UTF_8))).isTrue();
  }

  @Test
  void columnsGrowWithALaterPageAndNothingShortIsCut() {
    RecordTable table = new RecordTable(new PrintWriter(said), List.of());
    for (int i = 0; i < 100; i++) {
      print(table, "{'id':" + i + ",'t':'a'}");
    }
    print(table, "{'id':123456,'t':'b','new':1}");
    table.end();
    assertThat(lines()).hasSize(2 + 101 + 1);
    assertThat(lines().subList(0, 3)).containsExactly("id  t", "--  -", "0   a");
    assertThat(lines().subList(102, 104)).containsExactly("123456  b", "(101 records)");
  }

  @Test
  void wideValuesAreCutByCharactersAndStayOnTheirLine() {
    RecordTable table = new RecordTable(new PrintWriter(said), List.of(JsonPath.parse("t")));
    print(table, "{'t':'" + "\ud83d\ude00".repeat(41) + "'}");
    print(table, "{'t':'" + "\ud83d\ude00".repeat(40) + "'}");
    print(table, "{'t':'a\\nb'}");
    print(table, "{}");
    table.end();
    assertThat(lines())
        .containsExactly(
            "t",
            "-".repeat(40),
            "\ud83d\ude00".repeat(39) + "\u2026",
            "\ud83d\ude00".repeat(40),
            "a b",
            "",
            "(4 records)");
  }

  @Test
  void aRecordOnSeveralLinesIsShownOnOneWithAllItsDigits() {
    JsonLines all = new JsonLines(new PrintWriter(said), List.of());
    print(all, "{\n'a' :\r\n1.10}");
    all.end();
    JsonLines some =
        new JsonLines(
            new PrintWriter(said),
            List.of(JsonPath.parse("a"), JsonPath.parse("b[].c"), JsonPath.parse("d")));
    print(some, "{'a':1.10,'b':[{'c':12345678901234567890.10},{}],'x':1}");
    print(some, "{'a':1E+400,'b':'none','d':null}");
    some.end();
    assertThat(lines())
        .containsExactly(
            "{ \"a\" :  1.10}",
            "{\"a\":1.10,\"b[].c\":[12345678901234567890.10]}",
            "{\"a\":1E+400,\"d\":null}");
  }

  @Test
  void aNumberIsShownAsItWasWritten() {
    String record = "{'a':[1e9999999999,-1.50e-9999999999],'b':{'c':1e99999999999999999999}}";
    List<JsonPath> paths = List.of(JsonPath.parse("a[]"), JsonPath.parse("b.c"));
    JsonLines some = new JsonLines(new PrintWriter(said), paths);
    print(some, record);
    some.end();
    RecordTable table = new RecordTable(new PrintWriter(said), paths);
    print(table, record);
    table.end();
    assertThat(lines())
        .containsExactly(
            "{\"a[]\":[1e9999999999,-1.50e-9999999999],\"b.c\":1e99999999999999999999}",
            "a[]                               b.c",
            "--------------------------------  ----------------------",
            "[1e9999999999,-1.50e-9999999999]  1e99999999999999999999",
            "(1 record)");
  }
}
