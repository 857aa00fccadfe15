package org.loam.workbench.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel tells of the block device below a directory. */
public final class BlockDevice {
  private static final int READ_SECTORS_FIELD = 2;
  private static final int WRITTEN_SECTORS_FIELD = 6;

  /** The kernel counts in sectors of this size, whatever the device's own is. */
  private static final int SECTOR_BYTES = 512;

  private BlockDevice() {}

  /**
   * Bytes that the device has written since it was attached, for all processes.
   *
   * @return -1 where the kernel does not say: elsewhere than on Linux, or on a file system without
   *     a device of its own
   */
  public static long writtenBytes(Path directory) {
    return bytes(directory, WRITTEN_SECTORS_FIELD);
  }

  /** As {@link #writtenBytes}, of bytes that the device has read. */
  public static long readBytes(Path directory) {
    return bytes(directory, READ_SECTORS_FIELD);
  }

  private static long bytes(Path directory, int field) {
    try {
      long device = ((Number) Files.getAttribute(directory, "unix:dev")).longValue();
      long major = (device >> 8) & 0xfff;
      long minor = (device & 0xff) | ((device >> 12) & 0xfff00);
      Path statistics = Path.of("/sys/dev/block", major + ":" + minor, "stat");
      String[] fields = Files.readString(statistics).strip().split(" +", -1);
      return Long.parseLong(fields[field]) * SECTOR_BYTES;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return -1;
    }
  }
}
