package org.loam.asterix.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.api.util.IoUtil;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;

/** Where Loam has its data: in one directory on each I/O device of a node. */
final class LoamDirectories {
  private static final String NAME = "loam";

  /** What mkfs makes, if such a directory is a disk of its own. */
  private static final String OF_A_NEW_DISK = "lost+found";

  private LoamDirectories() {}

  /** Those on devices, in their order, whether they are there or not. */
  static List<Path> on(List<IODeviceHandle> devices) {
    return devices.stream()
        .map(device -> Path.of(new FileReference(device, NAME).getAbsolutePath()))
        .toList();
  }

  /**
   * The first that has data, if one has.
   *
   * @throws org.loam.common.error.StorageIoException naming what cannot be listed
   */
  static Optional<Path> anyWithData(List<Path> directories) {
    StorageFiles files = RealEnv.create().files();
    return directories.stream()
        .filter(directory -> files.exists(directory) && hasData(files.list(directory)))
        .findFirst();
  }

  private static boolean hasData(List<String> names) {
    return names.stream().anyMatch(name -> !name.equals(OF_A_NEW_DISK));
  }

  /**
   * Deletes what is in directories, for a node that begins anew: its first start was killed, or an
   * operator wants all data deleted. Other nodes without a log that find data on a device do not
   * get here, see {@link LogDirectory#require}. The directories stay, because an operator may have
   * put others in their place, by links or mounts.
   *
   * @throws org.loam.common.error.StorageIoException naming what is there and is no directory
   */
  static void empty(List<Path> directories) throws HyracksDataException {
    StorageFiles files = RealEnv.create().files();
    for (Path directory : directories) {
      if (files.exists(directory)) {
        for (String name : files.list(directory)) {
          IoUtil.delete(directory.resolve(name));
        }
      }
    }
  }
}
