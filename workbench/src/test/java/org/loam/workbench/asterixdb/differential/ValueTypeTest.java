package org.loam.workbench.asterixdb.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.loam.workbench.asterixdb.differential.ValueType.Role;

/** The domains of types. */
class ValueTypeTest {
  @Test
  void noTwoKeysAreOneValue() {
    for (ValueType type : ValueType.values()) {
      Set<String> literals = new HashSet<>();
      for (int i = 0; i < ValueType.DOMAIN; i++) {
        String literal = type.literal(i);
        assertThat(literal).doesNotContain("\n");
        literals.add(literal);
      }
      if (type.role() == Role.SCALAR) {
        assertThat(literals).as(type.toString()).hasSize(ValueType.DOMAIN);
      }
    }
  }

  @Test
  void theEndsOfTypesAreValues() {
    assertThat(ValueType.TINYINT.literal(0)).isEqualTo("int8(\"-128\")");
    assertThat(ValueType.TINYINT.literal(255)).isEqualTo("int8(\"127\")");
    assertThat(ValueType.BIGINT.literal(0)).isEqualTo("int64(\"-9223372036854775808\")");
    assertThat(ValueType.DOUBLE.literal(255)).isEqualTo("double(\"NaN\")");
    assertThat(ValueType.DOUBLE.literal(127)).isEqualTo("double(\"-0.0\")");
    assertThat(ValueType.STRING.literal(0)).isEqualTo("\"\"");
    assertThat(ValueType.STRING.literal(1)).isEqualTo("\"\\u0000\"");
    assertThat(ValueType.BINARY.literal(0)).isEqualTo("hex(\"\")");
    assertThat(ValueType.DATE.literal(0)).isEqualTo("date(\"0001-01-01\")");
  }

  @Test
  void filesHaveTheNamesOfTheDataModel() {
    assertThat(ValueType.DAY_TIME_DURATION.literal(128)).startsWith("day_time_duration(\"P0DT0H");
    assertThat(ValueType.DAY_TIME_DURATION.fileLiteral(128)).startsWith("day-time-duration(\"P0D");
  }
}
