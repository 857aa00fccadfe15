package org.loam.lsm;

import org.loam.common.mem.Mem;

/**
 * Scratch memory of one operation at a time, so that hot paths allocate nothing. Owned by the
 * holder of the operation slot it belongs to.
 */
public final class Workspace implements AutoCloseable {
  /** Bytes at {@link #key}: the largest page's quarter. */
  public static final int KEY_BYTES = 8 << 10;

  private final long address;
  private final int bytes;

  /**
   * @param bytes scratch bytes for batches, beside the key
   */
  public Workspace(int bytes) {
    this.address = Mem.allocate((long) KEY_BYTES + bytes, 64, "workspace");
    this.bytes = bytes;
  }

  /** Off-heap bytes a workspace with this much scratch takes. */
  public static long sizeBytes(int bytes) {
    return (long) KEY_BYTES + bytes;
  }

  /** Where a key can be put; {@link #putKey} does. */
  public long key() {
    return address;
  }

  /** Copies a key, which no page size allows to be longer, to {@link #key}. */
  public long putKey(byte[] key) {
    if (key.length > KEY_BYTES) {
      throw new IllegalArgumentException(
          "key of " + key.length + " bytes, must be at most " + KEY_BYTES);
    }
    Mem.copyIn(key, 0, address, key.length);
    return address;
  }

  /** The scratch bytes. */
  public long scratch() {
    return address + KEY_BYTES;
  }

  public int scratchBytes() {
    return bytes;
  }

  @Override
  public void close() {
    Mem.free(address);
  }
}
