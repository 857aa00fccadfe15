package org.loam.asterix.runtime;

import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.asterix.common.utils.StorageConstants;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.loam.asterix.node.NodeTrees;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.StorageException;

/**
 * The directories in which AsterixDB describes the indexes of a node, one on each I/O device. When
 * a node starts, Loam deletes the data of indexes without a description. AsterixDB skips
 * directories that it cannot list, so their indexes would seem to be dropped.
 *
 * @param paths whether they are there or not
 */
record StorageRoots(StorageFiles files, List<Path> paths) {
  static StorageRoots on(List<IODeviceHandle> devices) {
    return new StorageRoots(
        RealEnv.create().files(),
        devices.stream()
            .map(device -> new FileReference(device, StorageConstants.STORAGE_ROOT_DIR_NAME))
            .map(root -> Path.of(root.getAbsolutePath()))
            .toList());
  }

  private static Path device(Path root) {
    return Objects.requireNonNull(root.getParent());
  }

  /**
   * The paths of all indexes that have a description, relative to their devices.
   *
   * @throws StartException if a directory cannot be listed that may have such
   */
  List<String> indexes() {
    List<String> relative = new ArrayList<>();
    for (Path root : paths) {
      for (Path index : indexes(root)) {
        relative.add(device(root).relativize(index).toString());
      }
    }
    return relative;
  }

  /**
   * The directory of an index that has a description, if there is one.
   *
   * @throws StartException if a directory cannot be listed that may have such
   */
  Optional<Path> anyIndex() {
    return paths.stream().flatMap(root -> indexes(root).stream()).findFirst();
  }

  private List<Path> indexes(Path root) {
    List<Path> found = new ArrayList<>();
    for (Path partition : partitions(root)) {
      addIndexes(partition, found);
    }
    return found;
  }

  /** All that has descriptions. A root that is a disk of its own may have other directories. */
  private List<Path> partitions(Path root) {
    return files.exists(root)
        ? names(root).stream()
            .filter(name -> name.startsWith(StorageConstants.PARTITION_DIR_PREFIX))
            .map(root::resolve)
            .toList()
        : List.of();
  }

  private void addIndexes(Path path, List<Path> found) {
    List<String> names = names(path);
    if (names.contains(StorageConstants.METADATA_FILE_NAME)) {
      found.add(path);
      return;
    }
    for (String name : names) {
      addIndexes(path.resolve(name), found);
    }
  }

  /** What is in a directory; nothing is in a file. */
  private List<String> names(Path path) {
    try {
      return files.list(path);
    } catch (StorageException e) {
      if (e.getCause() instanceof NotDirectoryException) {
        return List.of();
      }
      throw new StartException(
          e.getMessage()
              + "; the indexes below it would count as dropped, and Loam would delete their data:"
              + " start the node again when the directory can be listed");
    }
  }

  /**
   * Refuses that a device has data of Loam's and no partition of AsterixDB's, which stays when all
   * datasets are dropped. AsterixDB makes a root that is missing, so one without any is the same.
   *
   * @throws StartException saying what to do
   */
  void requireThoseOf(NodeTrees trees) {
    for (Path root : paths) {
      if (partitions(root).isEmpty() && trees.haveDataOn(device(root))) {
        throw new StartException(
            root
                + " is missing or has no partition, but Loam has data of indexes on that device,"
                + " which would count as dropped; bring the directory back, or empty the iodevices"
                + " and txn.log.dir to begin anew");
      }
    }
  }
}
