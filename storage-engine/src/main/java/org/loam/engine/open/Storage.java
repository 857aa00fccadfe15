package org.loam.engine.open;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles.DirectoryLock;
import org.loam.log.CommitLog;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.Truncate;

/**
 * What of an open database is in files.
 *
 * @param env with files that look after the lock
 * @param lock of the directory of the database
 * @param directories all data directories by number; 0 is that of the database
 */
public record Storage(
    StorageEnv env,
    DirectoryLock lock,
    SortedMap<Integer, Path> directories,
    Manifest manifest,
    CommitLog log) {
  /** That of the database. */
  Path directory() {
    return Objects.requireNonNull(directories.get(0));
  }

  /** Makes everything durable, so that the next opening has nothing to recover. */
  void seal() {
    lock.verify();
    long end = log.endLsn();
    log.awaitDurable(end, Long.MAX_VALUE);
    manifest.commit(new ManifestEdit(List.of(new Truncate(end), new ManifestEdit.Seal())));
  }

  /** Where the tables of each data directory are, by its number. */
  SortedMap<Integer, Path> tableDirectories() {
    SortedMap<Integer, Path> tables = new TreeMap<>(directories);
    tables.put(0, dataDirectory(directory()));
    return tables;
  }

  /** Where the tables of the directory of a database are; in others they are at the top. */
  static Path dataDirectory(Path directory) {
    return directory.resolve("data");
  }
}
