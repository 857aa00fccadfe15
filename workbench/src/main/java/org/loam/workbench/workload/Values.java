package org.loam.workbench.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Values that prove themselves: identity (8 bytes), version (8 bytes), then a slice of a fixed
 * block, chosen by both. A store that returns another record's value, a torn one or a shifted one
 * fails {@link #isRight}, at the price of one vectorised comparison.
 *
 * <p>The block alternates 32 random bytes with 32 equal ones, so that values compress to about
 * half. Immutable; any number of threads may share one.
 */
public final class Values {
  /** Identity and version; the shortest value. */
  public static final int HEADER_BYTES = 16;

  /** Small enough to stay in a cache of the processor, so that checking stays cheap. */
  private static final int BLOCK_BYTES = 1 << 16;

  private static final int MAX_LENGTH_BYTES = 1 << 20;
  private static final int STRETCH_BYTES = 32;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int lengthBytes;
  private final byte[] block;

  /**
   * @param lengthBytes of every value, from {@link #HEADER_BYTES} to 1 MiB
   */
  public Values(int lengthBytes) {
    if (lengthBytes < HEADER_BYTES || lengthBytes > MAX_LENGTH_BYTES) {
      throw new IllegalArgumentException(
          "lengthBytes = " + lengthBytes + ", rule: " + HEADER_BYTES + " to " + MAX_LENGTH_BYTES);
    }
    this.lengthBytes = lengthBytes;
    this.block = new byte[BLOCK_BYTES + lengthBytes];
    SplittableRandom random = new SplittableRandom(42);
    byte[] stretch = new byte[STRETCH_BYTES];
    for (int i = 0; i < block.length; i += STRETCH_BYTES) {
      if (i / STRETCH_BYTES % 2 == 0) {
        random.nextBytes(stretch);
      } else {
        Arrays.fill(stretch, (byte) 'x');
      }
      System.arraycopy(stretch, 0, block, i, Math.min(STRETCH_BYTES, block.length - i));
    }
  }

  public int lengthBytes() {
    return lengthBytes;
  }

  /** Writes the value of a record's version to the beginning of the target. */
  public void write(long identity, long version, byte[] target) {
    LONG.set(target, 0, identity);
    LONG.set(target, 8, version);
    int from = offset(identity, version);
    System.arraycopy(block, from, target, HEADER_BYTES, lengthBytes - HEADER_BYTES);
  }

  /** Whether the first {@code length} bytes are a value of this record, of any version. */
  public boolean isRight(long identity, byte[] value, int length) {
    if (length != lengthBytes || (long) LONG.get(value, 0) != identity) {
      return false;
    }
    int from = offset(identity, version(value));
    int bodyBytes = lengthBytes - HEADER_BYTES;
    return Arrays.equals(value, HEADER_BYTES, length, block, from, from + bodyBytes);
  }

  /** The record that a value belongs to. */
  public static long identity(byte[] value) {
    return (long) LONG.get(value, 0);
  }

  /** The version a value was written with. */
  public static long version(byte[] value) {
    return (long) LONG.get(value, 8);
  }

  private static int offset(long identity, long version) {
    return (int) Keys.identity(identity ^ version * 31) & (BLOCK_BYTES - 1);
  }
}
