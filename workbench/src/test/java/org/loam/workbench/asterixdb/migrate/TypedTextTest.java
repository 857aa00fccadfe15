package org.loam.workbench.asterixdb.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;

/** What LOAD is given, of what AsterixDB prints in its two formats. */
class TypedTextTest {
  private static TypedText.Line line(String record, String lossless, String... without) {
    try {
      return TypedText.of("shop.things", record, Json.exact().readTree(lossless), Set.of(without));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static String typed(String record, String lossless, String... without) {
    TypedText.Line line = line(record, lossless, without);
    assertThat(line.loads()).isTrue();
    return line.text();
  }

  private static void requireExpression(String record, String lossless, String text) {
    assertThat(line(record, lossless)).isEqualTo(new TypedText.Line(text, false));
  }

  private static void requireRefused(String record, String lossless, String... message) {
    assertThatThrownBy(() -> typed(record, lossless))
        .isInstanceOf(CommandException.class)
        .hasMessageContainingAll(message);
  }

  @Test
  void eachNumberHasItsType() {
    assertThat(
            typed(
                "{ \"a\": 1, \"b\": -2, \"c\": 3, \"d\": 4, \"e\": 0.1, \"f\": 1.0E-5, \"g\": NaN,"
                    + " \"h\": -INF }",
                "{\"a\":\"01:1\",\"b\":\"02:-2\",\"c\":\"03:3\",\"d\":4,\"e\":\"0B:1036831949\","
                    + "\"f\":\"0C:4532020583610935537\",\"g\":\"0C:9221120237041090560\","
                    + "\"h\":\"0B:-8388608\"}"))
        .isEqualTo(
            "{ \"a\": int8(\"1\"), \"b\": int16(\"-2\"), \"c\": int32(\"3\"), \"d\": 4,"
                + " \"e\": float(\"0.1\"), \"f\": 1.0E-5, \"g\": NaN,"
                + " \"h\": float(\"-INF\") }");
  }

  @Test
  void numbersAreFoundInsideOfAll() {
    assertThat(
            typed(
                "{ \"a\": [ 1, { \"b\": {{ 2, {{  }}, [  ] }} }, {  } ], \"c\": true,"
                    + " \"d\": null }",
                "{\"a\":[\"01:1\",{\"b\":[\"03:2\",[],[]]},{}],\"c\":true,\"d\":null}"))
        .isEqualTo(
            "{ \"a\": [ int8(\"1\"), { \"b\": {{ int32(\"2\"), {{  }}, [  ] }} }, {  } ],"
                + " \"c\": true, \"d\": null }");
  }

  @Test
  void whatLooksLikeANumberInATextStays() {
    String record =
        "{ \"a\": \"1, {{ 2 }} \\\" \\\\\", \"b\": point(\"1.5,2.0\"), \"c\": \"\", \"d\":"
            + " date(\"2020-02-29\") }";
    assertThat(
            typed(
                record,
                "{\"a\":\":1, {{ 2 }} \\\" \\\\\",\"b\":\"14:1:2\",\"c\":\"\",\"d\":\"11:18321\"}"))
        .isEqualTo(record);
  }

  /** LOAD takes names as they are, and what AsterixDB prints has escapes. */
  @Test
  void namesHaveNoEscapes() {
    assertThat(typed("{ \"a\\\\b\\tc\": 1 }", "{\"a\\\\b\\tc\":\"01:1\"}"))
        .isEqualTo("{ \"a\\b\tc\": int8(\"1\") }");
  }

  /** The printed text has 7 milliseconds, and LOAD reads them so. */
  @Test
  void durationsStayAsTheyAre() {
    String record = "{ \"a\": duration(\"P1YT5.7S\"), \"b\": day-time-duration(\"-PT0.78S\") }";
    assertThat(typed(record, "{\"a\":\"13:12:5007\",\"b\":\"25:-78\"}")).isEqualTo(record);
  }

  @Test
  void whatLoadCannotReadBecomesAnExpression() {
    requireExpression(
        "{ \"o\": { \"a\\\"b\": 1 }, \"n\": 2 }",
        "{\"o\":{\"a\\\"b\":\"01:1\"},\"n\":2}",
        "{ \"o\": { \"a\\\"b\": int8(\"1\") }, \"n\": 2 }");
    requireExpression("{ \"a\\\\\": 1 }", "{\"a\\\\\":1}", "{ \"a\\\\\": 1 }");
    requireExpression(
        "{ \"a\": [ null, null ], \"d\": day-time-duration(\"PT1S\") }",
        "{\"a\":[null,\"0E\"],\"d\":\"25:1000\"}",
        "{ \"a\": [ null, missing ], \"d\": day_time_duration(\"PT1S\") }");
    requireExpression("{ \"a\": -128 }", "{\"a\":\"01:-128\"}", "{ \"a\": int8(\"-128\") }");
    requireExpression(
        "{ \"a\": -9223372036854775808 }",
        "{\"a\":-9223372036854775808}",
        "{ \"a\": int64(\"-9223372036854775808\") }");
    requireExpression(
        "{ \"a\": [ null, NaN ] }",
        "{\"a\":[\"0E\",\"0C:9221120237041090560\"]}",
        "{ \"a\": [ missing, double(\"NaN\") ] }");
    assertThat(typed("{ \"a\": -128 }", "{\"a\":\"02:-128\"}"))
        .isEqualTo("{ \"a\": int16(\"-128\") }");
  }

  @Test
  void intervalsAreInThePlainFormatAlone() {
    String record =
        "{ \"id\": \"interval(\", \"when\": interval(date(\"2020-01-01\"), date(\"2020-12-31\")),"
            + " \"o\": { \"x\": [ interval(time(\"01:00:00.000\"), time(\"02:00:00.000\")) ] } }";
    assertThat(PlainText.intervals(record)).containsExactly("o", "when");
    assertThat(typed(record, "{\"id\":\":interval(\"}", "o", "when")).isEqualTo(record);
    assertThat(PlainText.intervals("{ \"interval(\": 1 }")).isEmpty();
    String mixed = record.replace("{ \"x\"", "{ \"n\": 1, \"x\"");
    assertThatThrownBy(() -> typed(mixed, "{\"id\":\":interval(\"}", "o", "when"))
        .hasMessageContaining("its field o.n is a number in a field with intervals");
    String unknown = record.replace("[ interval", "[ null, interval");
    assertThatThrownBy(() -> typed(unknown, "{\"id\":\":interval(\"}", "o", "when"))
        .hasMessageContaining("its field o.x[0] is null or missing");
  }

  @Test
  void twoRecordsAreNotTakenForOne() {
    requireRefused("{ \"a\": 1 }", "{\"a\":2}", "has changed while it was read");
    requireRefused("{ \"a\": 1 }", "{\"b\":1}", "has changed while it was read");
    requireRefused("{ \"a\": [ 1 ] }", "{\"a\":[1,2]}", "has changed while it was read");
    requireRefused("{ \"a\": \"x\" }", "{\"a\":1}", "has changed while it was read");
    requireRefused("{ \"a\": true }", "{\"a\":false}", "has changed while it was read");
  }

  @Test
  void whatIsNoRecordIsSaid() {
    requireRefused("{ \"a\": \"x", "{\"a\":\":x\"}", "cannot be read");
    requireRefused("{ \"a\" 1 }", "{\"a\":1}", "cannot be read");
    requireRefused("{ \"a\": 1 } }", "{\"a\":1}", "cannot be read");
    requireRefused("{ \"a\": ! }", "{\"a\":1}", "cannot be read");
  }
}
