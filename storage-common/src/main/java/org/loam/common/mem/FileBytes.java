package org.loam.common.mem;

import java.nio.file.Path;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;

/** Reads small files into arrays. */
public final class FileBytes {
  private FileBytes() {}

  /**
   * The last bytes of a file.
   *
   * @param most as many are read of a larger file; a smaller one is read whole
   * @throws org.loam.common.error.StorageIoException if it cannot be read
   */
  public static byte[] last(StorageFiles files, Path path, int most) {
    try (StorageFile file = files.open(path, StorageFiles.Mode.READ)) {
      long size = file.sizeBytes();
      byte[] bytes = new byte[(int) Math.min(size, most)];
      long buffer =
          Mem.allocate(Math.max(1, bytes.length), StorageFiles.ALIGNMENT, "content of a file");
      try {
        file.read(size - bytes.length, buffer, bytes.length);
        Mem.copyOut(buffer, bytes, 0, bytes.length);
      } finally {
        Mem.free(buffer);
      }
      return bytes;
    }
  }
}
