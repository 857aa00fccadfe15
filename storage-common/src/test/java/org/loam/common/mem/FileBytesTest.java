package org.loam.common.mem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.env.real.RealFiles;

class FileBytesTest {
  @TempDir Path directory;

  private byte[] last(Path path, int most) {
    return FileBytes.last(new RealFiles(), path, most);
  }

  @Test
  void aSmallFileIsReadWhole() throws IOException {
    Path path = directory.resolve("small");
    for (byte[] content : new byte[][] {{}, {1, 2, 3}, new byte[5000]}) {
      Files.write(path, content);
      assertThat(last(path, 5000)).isEqualTo(content);
    }
  }

  @Test
  void ofAFileThatNoArrayHoldsTheEndIsRead() throws IOException {
    Path path = directory.resolve("large");
    try (SeekableByteChannel file =
        Files.newByteChannel(
            path,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            StandardOpenOption.SPARSE)) {
      file.position(3L << 30);
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }
    assertThat(last(path, 5)).containsExactly(0, 0, 1, 2, 3);
  }
}
