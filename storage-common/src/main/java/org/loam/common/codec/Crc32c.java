package org.loam.common.codec;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.Mem;

/**
 * CRC32C (Castagnoli) of bytes, computed by the processor's instructions. An instance takes bytes
 * in pieces, makes no garbage and belongs to one thread at a time; the static methods are
 * thread-safe. Use an instance where checksums are frequent:
 *
 * <pre>{@code
 * int crc = checksum.reset().seed(fileSalt, pageNo).update(address, bytes).value();
 * }</pre>
 */
public final class Crc32c {
  /**
   * Idle instances for the static methods, which would otherwise make a direct buffer per call. A
   * thread starts at a place of its own and takes an instance out while it uses it. The places are
   * 16 references apart, two cache lines.
   */
  private static final AtomicReferenceArray<@Nullable Crc32c> IDLE =
      new AtomicReferenceArray<>(64 * 16);

  /** Where the processor works on raw addresses, it does so through a direct buffer. */
  private final ByteBuffer window = Mem.newWindow();

  private final CRC32C crc = new CRC32C();
  private final byte[] seed = new byte[16];

  /** Starts a new checksum. */
  public Crc32c reset() {
    crc.reset();
    return this;
  }

  /**
   * Adds 16 bytes, both numbers big-endian. A checksum that starts so belongs to a place: bytes
   * moved to another place, which has another seed, do not pass.
   */
  public Crc32c seed(long high, long low) {
    for (int i = 0; i < 8; i++) {
      seed[i] = (byte) (high >>> (56 - 8 * i));
      seed[8 + i] = (byte) (low >>> (56 - 8 * i));
    }
    crc.update(seed, 0, seed.length);
    return this;
  }

  /** Adds bytes at an address. */
  public Crc32c update(long address, int length) {
    crc.update(Mem.aim(window, address, length));
    return this;
  }

  /** Adds bytes on the heap. */
  public Crc32c update(byte[] bytes, int offset, int length) {
    crc.update(bytes, offset, length);
    return this;
  }

  /** The checksum of what was added since {@link #reset}; more may be added. */
  public int value() {
    return (int) crc.getValue();
  }

  /** The checksum of {@code length} bytes at {@code address}. */
  public static int of(long address, int length) {
    int place = place();
    Crc32c checksum = take(place);
    int value = checksum.reset().update(address, length).value();
    IDLE.setRelease(place, checksum);
    return value;
  }

  /** The checksum of a {@link #seed} followed by {@code length} bytes at {@code address}. */
  public static int seeded(long seedHigh, long seedLow, long address, int length) {
    int place = place();
    Crc32c checksum = take(place);
    int value = checksum.reset().seed(seedHigh, seedLow).update(address, length).value();
    IDLE.setRelease(place, checksum);
    return value;
  }

  private static Crc32c take(int place) {
    Crc32c idle = IDLE.getAndSet(place, null);
    return idle != null ? idle : new Crc32c();
  }

  private static int place() {
    return (int) ((Thread.currentThread().getId() * 0x9E3779B97F4A7C15L) >>> 58) << 4;
  }
}
