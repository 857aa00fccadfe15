package org.loam.asterix.runtime;

import java.nio.file.Path;
import java.util.List;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.api.util.IoUtil;
import org.loam.common.env.StorageFiles;
import org.loam.common.env.real.RealEnv;

/** Where Loam has its data: in one directory on each I/O device of a node. */
final class LoamDirectories {
  private static final String NAME = "loam";

  private LoamDirectories() {}

  /** Those on devices, in their order, whether they are there or not. */
  static List<Path> on(List<IODeviceHandle> devices) {
    return devices.stream()
        .map(device -> Path.of(new FileReference(device, NAME).getAbsolutePath()))
        .toList();
  }

  /**
   * Deletes what is in directories, for a node that begins anew: it may find those of an earlier
   * cluster, on some of its devices. The directories stay, because an operator may have put others
   * in their place, by links or mounts.
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
