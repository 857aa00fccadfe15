package org.loam.lsm.manifest;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles.OpenDirectory;

/**
 * Whose an additional data directory is; its file {@code identity} says it, of one block.
 *
 * @param databaseId of the database: {@link DatabaseIdentity#directoriesId}
 * @param number of the directory in it, at least 1
 */
public record DirectoryIdentity(long databaseId, int number) {
  private static final BlockFile FORMAT = new BlockFile(0x5249444c, 24);
  private static final String NAME = "identity";
  private static final int NUMBER_OFFSET = 12;
  private static final int DATABASE_OFFSET = 16;

  /**
   * Names that a directory may hold before it has an identity: a crash left one, mkfs the other.
   */
  private static final List<String> HARMLESS = List.of(NAME + ".tmp", "lost+found");

  /**
   * Reads the identity of a directory.
   *
   * @return null if it has none
   * @throws org.loam.common.error.CorruptionException if it is damaged
   * @throws org.loam.common.error.UnsupportedFormatException if a newer version wrote it
   */
  public static @Nullable DirectoryIdentity read(StorageEnv env, Path directory) {
    Path path = directory.resolve(NAME);
    if (!env.files().exists(path)) {
      return null;
    }
    ByteBuffer b = FORMAT.read(env, path);
    return new DirectoryIdentity(b.getLong(DATABASE_OFFSET), b.getInt(NUMBER_OFFSET));
  }

  /** Gives it to a directory, which exists and has none; durable when it returns. */
  public void write(StorageEnv env, Path directory) {
    Path path = directory.resolve(NAME);
    FORMAT.prepare(
        env,
        path,
        block -> block.putInt(NUMBER_OFFSET, number).putLong(DATABASE_OFFSET, databaseId));
    try (OpenDirectory open = env.files().openDirectory(directory)) {
      BlockFile.publish(env, path, open);
    }
  }

  /** What keeps a directory without an identity from being given one; null if nothing does. */
  public static @Nullable String stranger(StorageEnv env, Path directory) {
    for (String name : env.files().list(directory)) {
      if (!HARMLESS.contains(name)) {
        return name;
      }
    }
    return null;
  }
}
