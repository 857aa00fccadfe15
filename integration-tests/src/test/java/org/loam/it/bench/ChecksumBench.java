package org.loam.it.bench;

import org.loam.common.codec.Crc32c;
import org.loam.common.codec.Hash64;
import org.loam.common.mem.Mem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Checksum and hash of bytes off-heap: a key, and a page. */
public class ChecksumBench extends HotPath {
  /** Bytes to go through. */
  @Param({"24", "16384"})
  public int lengthBytes;

  private final Crc32c crc = new Crc32c();
  private long address;

  /** Takes the bytes. */
  @Setup
  public void allocate() {
    address = Mem.allocate(lengthBytes, 64);
    for (int i = 0; i < lengthBytes; i++) {
      Mem.putByte(address + i, (byte) (i * 31));
    }
  }

  /** Gives them back. */
  @TearDown
  public void free() {
    Mem.free(address);
  }

  /** CRC32C. */
  @Benchmark
  public int crc32c() {
    return crc.reset().update(address, lengthBytes).value();
  }

  /** The hash of keys. */
  @Benchmark
  public long hash64() {
    return Hash64.of(address, lengthBytes);
  }
}
