package org.loam.lsm.manifest;

import java.nio.file.Path;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles.OpenDirectory;

/** The file {@code current}: one block that names the manifest file which counts. */
final class CurrentFile {
  private static final BlockFile FORMAT = new BlockFile(0x5255434c, 24);
  private static final int NUMBER_OFFSET = 16;

  private CurrentFile() {}

  static Path path(Path directory) {
    return directory.resolve("current");
  }

  /** Where it is before it counts. */
  static Path temporary(Path directory) {
    return BlockFile.temporary(path(directory));
  }

  static long read(StorageEnv env, Path directory) {
    return FORMAT.read(env, path(directory)).getLong(NUMBER_OFFSET);
  }

  /** Writes what {@link #publish} will put in place; a failure leaves everything as it was. */
  static void prepare(StorageEnv env, Path directory, long fileNumber) {
    FORMAT.prepare(env, path(directory), block -> block.putLong(NUMBER_OFFSET, fileNumber));
  }

  /**
   * Lets the prepared file count; after a failure it is not known which one does.
   *
   * @param open the same directory
   */
  static void publish(StorageEnv env, Path directory, OpenDirectory open) {
    BlockFile.publish(env, path(directory), open);
  }
}
