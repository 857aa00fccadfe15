package org.loam.engine.json;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.loam.common.key.KeyBuilder;

/** Which bytes are a record, and which decimals are a key. */
class JsonFormatTest {
  private static final String TEXT = "{\"id\":1}";

  /** A record with these bytes in a text that begins at the given byte. */
  private static byte[] record(int at, String hex) {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    record.writeBytes(("{\"" + "x".repeat(at - 5) + "\":\"").getBytes(UTF_8));
    record.writeBytes(HexFormat.of().parseHex(hex));
    record.writeBytes("\"}".getBytes(UTF_8));
    return record.toByteArray();
  }

  private static void refused(byte[] record, String... words) {
    assertThatThrownBy(() -> JsonFormat.parseNew(record), HexFormat.of().formatHex(record))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(words)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void aNewRecordIsUtf8() {
    for (int at : List.of(6, 7, 8, 13, 20_000)) {
      for (String hex :
          List.of(
              "c080",
              "c1bf",
              "e08080",
              "f0808080",
              "eda080",
              "edb080",
              "eda080edb080",
              "f4908080",
              "f8888080",
              "80",
              "e282",
              "ff")) {
        refused(record(at, hex), "not UTF-8 at byte " + at);
      }
      for (String hex : List.of("7f", "c280", "e0a080", "ed9fbf", "ee8080", "efbfbf", "f48fbfbf")) {
        String found = JsonFormat.parseNew(record(at, hex)).elements().next().textValue();
        assertThat(found.getBytes(UTF_8)).isEqualTo(HexFormat.of().parseHex(hex));
      }
    }
  }

  @Test
  void aNewRecordIsInNoOtherEncodingAndHasNoByteOrderMark() {
    for (String name : List.of("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")) {
      Charset other = Charset.forName(name);
      refused(TEXT.getBytes(other), "UTF-16");
      refused((" " + TEXT).getBytes(other), "UTF-16");
      refused(("\ufeff" + TEXT).getBytes(other), "UTF-16");
    }
    refused("\ufeff".getBytes(UTF_8), "byte order mark");
    refused(("\ufeff" + TEXT).getBytes(UTF_8), "byte order mark");
    assertThat(JsonFormat.parseNew((" \r\n" + TEXT).getBytes(UTF_8))).hasToString(TEXT);
  }

  @Test
  void anOldRecordIsReadInItsEncoding() {
    assertThat(JsonFormat.parse(TEXT.getBytes(UTF_16LE))).hasToString(TEXT);
    assertThat(JsonFormat.parse(("\ufeff" + TEXT).getBytes(UTF_8))).hasToString(TEXT);
    String overlong = JsonFormat.parse(record(6, "c1a1")).elements().next().textValue();
    assertThat(overlong).isEqualTo("a");
  }

  private static byte[] key(JsonNode value) {
    KeyBuilder key = new KeyBuilder();
    JsonFormat.add(key, value);
    return key.toBytes();
  }

  private static byte[] key(String decimal) {
    return key(DecimalNode.valueOf(new BigDecimal(decimal)));
  }

  private static byte[] key(double number) {
    return key(DoubleNode.valueOf(number));
  }

  /** As JavaScript, Python and later Java do. */
  @Test
  void theShortestDecimalOfADoubleIsAKey() {
    for (String decimal :
        List.of(
            "5e-324",
            "-1e-323",
            "1.5e-323",
            "2.2250738585072014e-308",
            "5.684341886080802e-14",
            "2.9802322387695312e-8",
            "0.30000000000000004",
            "123456.75",
            "9007199254740994.0",
            "2e23",
            "8.41e21",
            "1.7976931348623157e308")) {
      assertThat(key(decimal)).as(decimal).isEqualTo(key(Double.parseDouble(decimal)));
    }
  }

  /** Java 17 does not always write the shortest or the nearest: 1.9999999999999998E23 for 2e23. */
  @Test
  void aDecimalThatJavaWritesIsAKey() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) {
      double any = Double.longBitsToDouble(random.nextLong());
      double large = random.nextInt(1000) * Math.pow(10, random.nextInt(15, 30));
      double power = Math.scalb(1.0, random.nextInt(-1074, 1024));
      for (double number : new double[] {any, large, power, 2e23}) {
        if (Double.isFinite(number)) {
          String decimal = Double.toString(number);
          assertThat(key(decimal)).as(decimal + ", seed " + seed).isEqualTo(key(number));
        }
      }
    }
  }

  @Test
  void noOtherDecimalOfADoubleIsAKey() {
    for (String decimal :
        List.of(
            "4e-324",
            "4.94065645841247e-324",
            "1e-400",
            "2.9802322387695313e-8",
            "0.10000000000000001",
            "0.1000000000000000055",
            "9007199254740993.0",
            "2.00000000000000001e23")) {
      assertThatThrownBy(() -> key(decimal), decimal)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a double stands for, such as");
    }
    assertThatThrownBy(() -> key("4e-324")).hasMessageContaining("such as 5E-324");
  }
}
