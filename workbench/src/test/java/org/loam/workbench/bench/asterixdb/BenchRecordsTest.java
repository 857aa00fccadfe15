package org.loam.workbench.bench.asterixdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.console.Json;

class BenchRecordsTest {
  private static final BenchRecords RECORDS = new BenchRecords(1200, false);

  private static ObjectNode read(long id) {
    String line = new String(RECORDS.line(id), StandardCharsets.US_ASCII);
    return (ObjectNode) Json.read(line, JsonNode.class);
  }

  @Test
  void eachIdComesOnceAndInNoOrder() {
    assertThat(IntStream.range(0, 1200).mapToObj(RECORDS::id).distinct())
        .hasSize(1200)
        .allMatch(id -> id >= 0 && id < 1200);
    assertThat(IntStream.range(0, 1200).mapToObj(RECORDS::id).toList())
        .isNotEqualTo(LongStream.range(0, 1200).boxed().toList());
    BenchRecords many = new BenchRecords(BenchRecords.MAX_COUNT, false);
    assertThat(many.id(many.count() - 1)).isBetween(0L, (long) many.count());
  }

  @Test
  void aHundredRecordsShareAPart() {
    Map<Long, Long> parts =
        LongStream.range(0, 1200)
            .mapToObj(RECORDS::part)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(parts).hasSize(RECORDS.parts());
    assertThat(parts.values()).containsOnly((long) BenchRecords.PART_RECORDS);
  }

  @Test
  void linesAreOfOneLengthAndProveThemselves() {
    for (long id = 0; id < 1200; id++) {
      assertThat(RECORDS.line(id)).hasSize(BenchRecords.LINE_BYTES + 1);
      assertThat(RECORDS.isRight(read(id))).isTrue();
    }
    assertThat(RECORDS.isRight(read(7).put("id", 8))).isFalse();
    assertThat(RECORDS.isRight(read(7).put("part", -1))).isFalse();
    assertThat(RECORDS.isRight(read(7).put("mark", 1))).isFalse();
    assertThat(RECORDS.isRight(read(7).put("text", read(8).path("text").asText()))).isFalse();
    assertThat(RECORDS.isRight(read(7).put("text", ""))).isFalse();
    assertThat(RECORDS.isRight(read(7).put("more", 1))).isFalse();
    assertThat(RECORDS.isRight(read(7).put("id", 1200))).isFalse();
  }

  private static int deflated(BenchRecords records) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
      for (int index = 0; index < 100; index++) {
        out.write(records.line(records.id(index)));
      }
    }
    return bytes.size();
  }

  @Test
  void textsOfWordsCompress() throws IOException {
    BenchRecords words = new BenchRecords(1200, true);
    assertThat(words.line(7)).hasSize(BenchRecords.LINE_BYTES + 1);
    assertThat(words.first(1000).isCompressible()).isTrue();
    assertThat(deflated(words)).isLessThan(60 * BenchRecords.LINE_BYTES);
    assertThat(deflated(RECORDS)).isGreaterThan(70 * BenchRecords.LINE_BYTES);
  }

  @Test
  void countsHaveARule() {
    assertThatThrownBy(() -> new BenchRecords(1050, false)).hasMessageContaining("multiple of 100");
    assertThatThrownBy(() -> new BenchRecords(900, false)).hasMessageContaining("1000");
  }

  @Test
  void queriesAreAboutRecordsThatAreThere() {
    BenchSchema schema = new BenchSchema("fed", 1);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 100; i++) {
      String range = QueryKind.RANGE.statement(schema, RECORDS, random);
      String to = range.replaceAll(".*r.id < (\\d+);", "$1");
      assertThat(Integer.parseInt(to)).isBetween(100, 1200);
    }
    assertThat(QueryKind.POINT.statement(schema, RECORDS, random))
        .matches("SELECT VALUE r FROM fed.records0 r WHERE r.id = \\d+;");
    assertThat(QueryKind.SECONDARY.statement(schema, RECORDS, random))
        .matches("SELECT VALUE r FROM fed.records0 r WHERE r.part = (\\d|1[01]);");
    assertThat(QueryKind.COUNT.statement(schema, RECORDS, random))
        .isEqualTo("SELECT VALUE COUNT(*) FROM fed.records0;");
  }

  @Test
  void aWrongAnswerIsAFailure() {
    QueryKind.POINT.check("q", List.of(read(3)), RECORDS);
    QueryKind.COUNT.check("q", List.of(Json.read("1200", JsonNode.class)), RECORDS);
    assertThatThrownBy(() -> QueryKind.POINT.check("q", List.of(), RECORDS))
        .isInstanceOf(WrongAnswerException.class)
        .hasMessageContaining("q showed 0 rows");
    assertThatThrownBy(() -> QueryKind.POINT.check("q", List.of(read(3).put("id", 4)), RECORDS))
        .isInstanceOf(WrongAnswerException.class);
    assertThatThrownBy(
            () -> QueryKind.COUNT.check("q", List.of(Json.read("1199", JsonNode.class)), RECORDS))
        .isInstanceOf(WrongAnswerException.class);
  }
}
