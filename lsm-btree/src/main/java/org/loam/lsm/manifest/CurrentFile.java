package org.loam.lsm.manifest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.mem.Mem;

/**
 * The file {@code current}: one block that names the manifest file which counts; replaced whole by
 * a rename. Version 1, little-endian: crc32c of bytes [4, 24), magic, version, reserved, file
 * number.
 */
final class CurrentFile {
  private static final int BYTES = 24;
  private static final int MAGIC = 0x5255434c;

  private CurrentFile() {}

  static Path path(Path directory) {
    return directory.resolve("current");
  }

  static long read(StorageEnv env, Path directory) {
    Path path = path(directory);
    ByteBuffer b =
        ByteBuffer.wrap(ManifestReader.readAll(env, path)).order(ByteOrder.LITTLE_ENDIAN);
    if (b.capacity() != StorageFiles.ALIGNMENT || b.getInt(0) != crc(b) || b.getInt(4) != MAGIC) {
      throw new CorruptionException(path + " is damaged; restore it from a backup");
    }
    if (b.getInt(8) != ManifestLayout.VERSION) {
      throw new UnsupportedFormatException(
          path + ": format version " + b.getInt(8) + ", this build reads 1; use a newer build");
    }
    return b.getLong(16);
  }

  /** Writes what {@link #publish} will put in place; a failure leaves everything as it was. */
  static void prepare(StorageEnv env, Path directory, long fileNumber) {
    ByteBuffer b = ByteBuffer.allocate(StorageFiles.ALIGNMENT).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(4, MAGIC).putInt(8, ManifestLayout.VERSION).putLong(16, fileNumber);
    b.putInt(0, crc(b));
    Path temporary = temporary(directory);
    StorageFiles files = env.files();
    if (files.exists(temporary)) {
      files.delete(temporary);
    }
    long buffer = Mem.allocate(b.capacity(), StorageFiles.ALIGNMENT);
    try (StorageFile file = files.open(temporary, StorageFiles.Mode.CREATE)) {
      Mem.copyIn(b.array(), 0, buffer, b.capacity());
      file.write(0, buffer, b.capacity());
      file.force();
    } finally {
      Mem.free(buffer);
    }
  }

  /** Lets the prepared file count; after a failure nobody knows which one does. */
  static void publish(StorageEnv env, Path directory) {
    env.files().rename(temporary(directory), path(directory));
    env.files().forceDirectory(directory);
  }

  private static Path temporary(Path directory) {
    return directory.resolve("current.tmp");
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(4, BYTES - 4));
    return (int) crc.getValue();
  }
}
