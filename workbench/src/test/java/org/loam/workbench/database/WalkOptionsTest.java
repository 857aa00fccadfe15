package org.loam.workbench.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.error.CorruptionException;
import picocli.CommandLine;

class WalkOptionsTest {
  /** A table keeps rows back until it knows how wide its columns are. */
  @ParameterizedTest
  @ValueSource(strings = {"json", "table"})
  void recordsBeforeAFaultAreShown(String format) {
    CommandLine line = new CommandLine(new WalkOptions()).setCaseInsensitiveEnumValuesAllowed(true);
    line.parseArgs("--format", format);
    WalkOptions options = line.getCommand();
    int[] shown = {0};
    BooleanSupplier next =
        () -> {
          if (shown[0]++ == 2) {
            throw new CorruptionException("planned");
          }
          return true;
        };
    StringWriter out = new StringWriter();
    assertThatThrownBy(
            () -> options.print(next, () -> "{\"id\":7}".getBytes(UTF_8), new PrintWriter(out)))
        .isInstanceOf(CorruptionException.class);
    assertThat(out.toString().lines().filter(row -> row.contains("7"))).hasSize(2);
  }
}
