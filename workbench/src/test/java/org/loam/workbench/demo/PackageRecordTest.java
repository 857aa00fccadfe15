package org.loam.workbench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.workbench.console.Json;

class PackageRecordTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "libc6; libc6",
        "libc6 (>= 2.34); libc6",
        "libc6(>= 2.34); libc6",
        "a (>= 1), b (= 2:3-4~rc|5); a b 5)",
        "a | b, c; a b c",
        "a|b|c; a b c",
        "python3:any; python3",
        "python3:any (>= 3.9~) | b; python3 b",
        "a (>= 1), b, a (<< 2); a b",
        "a | b, b | a; a b",
        "b, a; b a",
        "a [amd64] <!nocheck>, b<x>, c[i386]; a b c",
        "' a ,b  , '; a b",
        "libstdc++6 (>= 12), lib3.2-1; libstdc++6 lib3.2-1",
        "'a (>= 1),\nb'; a b",
        "''; ''",
        "', ,|'; ''",
      })
  void namesAreThoseOfTheRelationsEachOnce(String relations, String names) {
    assertThat(String.join(" ", PackageRecord.names(relations))).isEqualTo(names);
  }

  private static ObjectNode record(String... fields) {
    Map<String, String> map = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      map.put(fields[i], fields[i + 1]);
    }
    return PackageRecord.of("a", new Stanza(map));
  }

  @Test
  void everyFieldIsInTheRecordOnce() {
    ObjectNode record =
        record(
            "package",
            "a",
            "installed-size",
            "12",
            "maintainer",
            "Ann <a@b.org>",
            "depends",
            "c, b (= 1)",
            "section",
            "libs",
            "version",
            "1",
            "description",
            "Grüße\nof a");
    assertThat(Json.line(record))
        .isEqualTo(
            "{\"package\":\"a\",\"version\":\"1\",\"section\":\"libs\","
                + "\"maintainer\":\"Ann <a@b.org>\",\"installedSize\":12,"
                + "\"depends\":[\"c\",\"b\"],\"description\":\"Grüße\\nof a\"}");
  }

  @Test
  void aSizeThatIsNoNumberIsMissingAndOtherFieldsAreNone() {
    ObjectNode record = record("package", "a", "installed-size", "much");
    assertThat(record.has("installedSize")).isFalse();
    assertThat(record.get("section").textValue()).isEqualTo("none");
    assertThat(record.get("maintainer").textValue()).isEqualTo("none");
    assertThat(record.get("depends")).isEmpty();
    assertThat(Shape.PACKAGES.values(record).number()).isEqualTo(Values.NO_NUMBER);
  }
}
