package org.loam.lsm.manifest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.OpenDirectory;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.FileBytes;
import org.loam.common.mem.Mem;

/**
 * A file of one block, replaced whole by a rename. Little-endian: crc32c of bytes [4, {@code
 * bytes}), magic, version 1, then what it is for.
 *
 * @param magic of the kind of file
 * @param bytes of the block that are in use
 */
record BlockFile(int magic, int bytes) {
  private static final int VERSION = 1;

  /** Reads and checks the block. */
  ByteBuffer read(StorageEnv env, Path path) {
    ByteBuffer b =
        ByteBuffer.wrap(FileBytes.last(env.files(), path, 1 + StorageFiles.ALIGNMENT))
            .order(ByteOrder.LITTLE_ENDIAN);
    String fault = fault(b);
    if (fault != null) {
      throw new CorruptionException(path + " is damaged: " + fault + "; restore it from a backup");
    }
    if (b.getInt(8) != VERSION) {
      throw new UnsupportedFormatException(
          path + ": format version " + b.getInt(8) + ", this build reads 1; use a newer build");
    }
    return b;
  }

  /** What is wrong, found and expected; null if the block is whole and of this kind. */
  private @Nullable String fault(ByteBuffer b) {
    if (b.capacity() != StorageFiles.ALIGNMENT) {
      // Of a longer file one byte too many was read.
      return b.capacity() > StorageFiles.ALIGNMENT
          ? "more than " + StorageFiles.ALIGNMENT + " bytes"
          : b.capacity() + " bytes, must have " + StorageFiles.ALIGNMENT;
    }
    if (b.getInt(0) != crc(b)) {
      return String.format(
          Locale.ROOT, "checksum stored %08x, of the bytes %08x", b.getInt(0), crc(b));
    }
    return b.getInt(4) == magic
        ? null
        : String.format(Locale.ROOT, "magic %08x, must be %08x", b.getInt(4), magic);
  }

  /**
   * Writes what {@link #publish} will put in place; a failure leaves everything as it was.
   *
   * @param fields puts what it is for into the block
   */
  void prepare(StorageEnv env, Path path, Consumer<ByteBuffer> fields) {
    ByteBuffer block = ByteBuffer.allocate(StorageFiles.ALIGNMENT).order(ByteOrder.LITTLE_ENDIAN);
    fields.accept(block);
    block.putInt(4, magic).putInt(8, VERSION);
    block.putInt(0, crc(block));
    Path temporary = temporary(path);
    StorageFiles files = env.files();
    if (files.exists(temporary)) {
      files.delete(temporary);
    }
    long buffer = Mem.allocate(block.capacity(), StorageFiles.ALIGNMENT);
    try (StorageFile file = files.open(temporary, StorageFiles.Mode.CREATE)) {
      Mem.copyIn(block.array(), 0, buffer, block.capacity());
      file.write(0, buffer, block.capacity());
      file.force();
    } finally {
      Mem.free(buffer);
    }
  }

  /**
   * Lets the prepared file count; after a failure it is not known which one does.
   *
   * @param directory of the file, opened before: the lack of a file descriptor is no such failure
   */
  static void publish(StorageEnv env, Path path, OpenDirectory directory) {
    env.files().rename(temporary(path), path);
    directory.force();
  }

  /** Where the block is until it counts. */
  static Path temporary(Path path) {
    return path.resolveSibling(path.getFileName() + ".tmp");
  }

  private int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(4, bytes - 4));
    return (int) crc.getValue();
  }
}
