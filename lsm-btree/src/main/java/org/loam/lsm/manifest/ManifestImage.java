package org.loam.lsm.manifest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.StorageFiles.OpenDirectory;
import org.loam.lsm.disk.SSTableMeta;
import org.loam.lsm.manifest.ManifestEdit.PlaceTree;
import org.loam.lsm.manifest.ManifestEdit.ReserveDirectories;
import org.loam.lsm.manifest.ManifestState.TreeRecord;

/** The state of a manifest at one moment, and the log that goes with it. Immutable. */
public final class ManifestImage {
  private final long fileNumber;
  private final long logEndLsn;
  private final long truncationLsn;
  private final DatabaseIdentity identity;
  private final ManifestEdit snapshot;
  private final List<Table> tables = new ArrayList<>();

  /**
   * A table of the state.
   *
   * @param meta what the manifest has of it
   * @param directory number of the data directory that it is in
   */
  public record Table(SSTableMeta meta, int directory) {}

  ManifestImage(long fileNumber, long logEndLsn, long directoriesId, ManifestState state) {
    this.fileNumber = fileNumber;
    this.logEndLsn = logEndLsn;
    this.truncationLsn = state.truncationLsn();
    this.identity = state.identity().ofCheckpoint(directoriesId);
    this.snapshot = inOneDirectory(state.snapshot(identity));
    for (TreeRecord tree : state.trees()) {
      tree.components().forEach(c -> tables.add(new Table(c.meta(), tree.directory())));
    }
  }

  private static ManifestEdit inOneDirectory(ManifestEdit snapshot) {
    return new ManifestEdit(
        snapshot.changes().stream()
            .filter(
                change -> !(change instanceof PlaceTree || change instanceof ReserveDirectories))
            .toList());
  }

  /** Where a replay of the log begins. */
  public long truncationLsn() {
    return truncationLsn;
  }

  /** Exclusive end of the log that goes with the state. */
  public long logEndLsn() {
    return logEndLsn;
  }

  /** The tables of all trees. Their names differ, wherever they are. */
  public List<Table> tables() {
    return List.copyOf(tables);
  }

  /**
   * Makes a directory a database with this state, durably; log and tables must be there, all tables
   * in one data directory. It is none until the last step, the rename of {@code current}; after a
   * failure it may be one.
   */
  public void publish(StorageEnv env, Path directory) {
    byte[] state = EditCodec.encode(snapshot);
    ManifestFile.create(env.files(), directory, fileNumber, identity.featureBits(), state, 0)
        .close();
    try (OpenDirectory open = env.files().openDirectory(directory)) {
      CurrentFile.prepare(env, directory, fileNumber);
      CurrentFile.publish(env, directory, open);
    }
  }

  /**
   * Takes back what {@link #publish} has done, wholly or in part: the directory is no database
   * before anything else is deleted, and nothing is that was not made by it.
   */
  public void withdraw(StorageEnv env, Path directory) {
    StorageFiles files = env.files();
    Path current = CurrentFile.path(directory);
    if (files.exists(current)) {
      files.delete(current);
      // Or a loss of power could bring it back without what it names.
      files.forceDirectory(directory);
    }
    for (Path made :
        List.of(CurrentFile.temporary(directory), ManifestFile.path(directory, fileNumber))) {
      if (files.exists(made)) {
        files.delete(made);
      }
    }
  }
}
