package org.loam.workbench.asterixdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.ExitCode;

/** A script is the same in a file and at standard input. */
class AsterixCommandTest {
  @TempDir Path directory;

  private String readFile(byte[] script) throws IOException {
    Path file = Files.write(directory.resolve("script.sqlpp"), script);
    return AsterixCommand.read(file.toString(), new ByteArrayInputStream(new byte[0]));
  }

  private static String readInput(byte[] script) {
    return AsterixCommand.read("-", new ByteArrayInputStream(script));
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    byte[] script = {'a', (byte) 0xff};
    CommandException input = catchThrowableOfType(CommandException.class, () -> readInput(script));
    assertThat(input).hasMessageContaining("standard input is not UTF-8, at byte 2");
    assertThat(input.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
    CommandException file = catchThrowableOfType(CommandException.class, () -> readFile(script));
    assertThat(file).hasMessageContaining("script.sqlpp is not UTF-8, at byte 2");
    assertThat(file.exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
  }

  @Test
  void aByteOrderMarkIsNoPartOfAStatement() throws IOException {
    byte[] script = "\ufeffSELECT '\u00fc\ufeff';".getBytes(UTF_8);
    assertThat(readInput(script)).isEqualTo("SELECT '\u00fc\ufeff';");
    assertThat(readFile(script)).isEqualTo("SELECT '\u00fc\ufeff';");
  }
}
