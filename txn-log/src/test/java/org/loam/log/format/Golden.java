package org.loam.log.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.loam.common.mem.Mem;

/** Golden files: bytes as hex, 16 to a line. Rewritten when the property {@code rewrite} is set. */
final class Golden {
  private static final Path DIRECTORY = Path.of("src/test/resources/org/loam/log/format");
  private static final int BYTES_PER_LINE = 16;

  private Golden() {}

  static void check(String name, long address, int length) throws IOException {
    byte[] bytes = new byte[length];
    Mem.copyOut(address, bytes, 0, length);
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < length; i += BYTES_PER_LINE) {
      hex.append(HexFormat.of().formatHex(bytes, i, Math.min(length, i + BYTES_PER_LINE)));
      hex.append('\n');
    }
    Path file = DIRECTORY.resolve(name);
    if (Boolean.getBoolean("rewrite")) {
      Files.writeString(file, hex);
    }
    assertThat(hex.toString()).isEqualTo(Files.readString(file));
  }
}
