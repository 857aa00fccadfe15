package org.loam.log.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.loam.common.mem.Mem;

/** CRC32C without allocation; used by one thread at a time. */
public final class Checksum {
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer window = Mem.newWindow();

  /** The checksum of off-heap bytes. */
  public int of(long address, int length) {
    if (length == 0) {
      // No bytes may have no address either, or one just behind the memory.
      return 0;
    }
    crc.reset();
    crc.update(Mem.aim(window, address, length));
    return (int) crc.getValue();
  }

  /** What the header checksums of a segment's frames are combined with. */
  public static int seed(long identity, long salt) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(16).putLong(identity).putLong(salt).flip());
    return (int) crc.getValue();
  }
}
