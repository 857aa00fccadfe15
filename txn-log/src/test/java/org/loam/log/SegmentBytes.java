package org.loam.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/** Reads and forges segment headers on disk, independent of the code under test. */
final class SegmentBytes {
  private static final int BLOCK_BYTES = 4096;

  private SegmentBytes() {}

  /** The first copy of the header, or nothing if the file is gone. */
  static Optional<ByteBuffer> header(Path path) {
    try {
      byte[] bytes = Files.readAllBytes(path);
      return Optional.of(ByteBuffer.wrap(bytes, 0, BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes both copies and makes their checksums right again. */
  static void edit(Path path, Consumer<ByteBuffer> change) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    for (int at : new int[] {0, bytes.length - BLOCK_BYTES}) {
      ByteBuffer block =
          ByteBuffer.wrap(bytes, at, BLOCK_BYTES).slice().order(ByteOrder.LITTLE_ENDIAN);
      change.accept(block);
      CRC32C crc = new CRC32C();
      crc.update(bytes, at, BLOCK_BYTES - 4);
      block.putInt(BLOCK_BYTES - 4, (int) crc.getValue());
    }
    Files.write(path, bytes);
  }
}
