package org.loam.common.mem;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import sun.misc.Unsafe;

/**
 * Off-heap memory by raw address: the only class that touches {@code Unsafe}. Integers are in
 * native order unless a name says otherwise.
 *
 * <p>With {@code -Dloam.mem.check=true} every access is checked against the allocated ranges;
 * without it an access outside of them may stop the process. Thread-safe as memory itself is.
 */
public final class Mem {
  /** Whether accesses are checked; a constant, so that the unchecked mode pays nothing. */
  public static final boolean CHECKED = Boolean.getBoolean("loam.mem.check");

  private static final Unsafe UNSAFE = unsafe();
  private static final long BYTES = Unsafe.ARRAY_BYTE_BASE_OFFSET;
  private static final long BUFFER_ADDRESS = bufferField("address");
  private static final long BUFFER_CAPACITY = bufferField("capacity");

  /** The smallest that there is. */
  private static final int SYSTEM_PAGE_BYTES = 4096;

  /** Up to so many bytes a loop is faster than the call of a bulk copy. */
  private static final int FEW_BYTES = 64;

  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  static {
    if (!LITTLE_ENDIAN) {
      throw new AssertionError(
          "Loam needs a little-endian machine, found " + ByteOrder.nativeOrder());
    }
  }

  private Mem() {}

  /** {@link #allocate(long, int, String)} without a name. */
  public static long allocate(long bytes, int alignment) {
    return allocate(bytes, alignment, "memory");
  }

  /**
   * Allocates memory of undefined content. From 4 MiB on it is aligned to 2 MiB at least, so that
   * transparent huge pages can serve it.
   *
   * @param alignment of the address, a power of two
   * @param what it is for, as messages will call it
   * @throws OutOfMemoryError if the system refuses
   */
  public static long allocate(long bytes, int alignment, String what) {
    return MemRanges.allocate(UNSAFE, bytes, alignment, what);
  }

  /**
   * Frees what {@link #allocate} returned.
   *
   * @throws AssertionError in both modes, if it is not allocated (any more)
   */
  public static void free(long address) {
    MemRanges.free(UNSAFE, address);
  }

  /**
   * Frees all that a thread allocated and that is not freed yet, as the end of a process does: for
   * simulations of a process. No thread may use that memory any more.
   *
   * @return the bytes freed
   */
  public static long freeAllocatedBy(Thread thread) {
    return MemRanges.freeAllocatedBy(UNSAFE, thread.getId());
  }

  /** The bytes allocated and not yet freed, in the whole process; a leak check. */
  public static long liveBytes() {
    return MemRanges.liveBytes();
  }

  /** The bytes that a thread allocated and that are not freed yet. */
  public static long liveBytesOf(Thread thread) {
    return MemRanges.liveBytesOf(thread.getId());
  }

  /** One line for each live allocation, for the message of a failed leak check. */
  public static String describeLive() {
    return MemRanges.describeLive();
  }

  /**
   * Makes memory that others own, such as a mapped file, known to the checked mode.
   *
   * @param what it is, as messages will call it
   * @throws AssertionError in both modes, if it overlaps live memory
   */
  public static void register(long address, long bytes, String what) {
    MemRanges.register(address, bytes, what);
  }

  /** Undoes {@link #register}; the memory must not be accessed any more. */
  public static void unregister(long address) {
    MemRanges.unregister(address);
  }

  /**
   * Marks memory as not to be accessed until {@link #unpoison}. Works on aligned blocks of 64
   * bytes: those wholly inside are marked. Costs nothing and does nothing in the unchecked mode.
   */
  public static void poison(long address, long bytes) {
    if (CHECKED) {
      MemRanges.poison(address, bytes);
    }
  }

  /** Lets memory be accessed again: every aligned block of 64 bytes that these bytes touch. */
  public static void unpoison(long address, long bytes) {
    if (CHECKED) {
      MemRanges.unpoison(address, bytes);
    }
  }

  /**
   * Makes the system find memory for these bytes now, which it otherwise does when they are first
   * written. They may be poisoned, or in use: no byte changes, and no write of another thread is
   * lost.
   *
   * @param address a multiple of 4
   */
  public static void touch(long address, long bytes) {
    if (CHECKED) {
      MemRanges.checkLive(address, bytes);
    }
    for (long at = address; at < address + bytes; at += SYSTEM_PAGE_BYTES) {
      UNSAFE.getAndAddInt(null, at, 0);
    }
  }

  public static byte getByte(long a) {
    if (CHECKED) {
      MemRanges.check(a, 1);
    }
    return UNSAFE.getByte(a);
  }

  public static void putByte(long a, byte v) {
    if (CHECKED) {
      MemRanges.check(a, 1);
    }
    UNSAFE.putByte(a, v);
  }

  public static short getShort(long a) {
    if (CHECKED) {
      MemRanges.check(a, 2);
    }
    return UNSAFE.getShort(a);
  }

  public static void putShort(long a, short v) {
    if (CHECKED) {
      MemRanges.check(a, 2);
    }
    UNSAFE.putShort(a, v);
  }

  public static int getInt(long a) {
    if (CHECKED) {
      MemRanges.check(a, 4);
    }
    return UNSAFE.getInt(a);
  }

  public static void putInt(long a, int v) {
    if (CHECKED) {
      MemRanges.check(a, 4);
    }
    UNSAFE.putInt(a, v);
  }

  public static long getLong(long a) {
    if (CHECKED) {
      MemRanges.check(a, 8);
    }
    return UNSAFE.getLong(a);
  }

  public static void putLong(long a, long v) {
    if (CHECKED) {
      MemRanges.check(a, 8);
    }
    UNSAFE.putLong(a, v);
  }

  /** Reads 8 bytes as a big-endian number: unsigned order of the numbers is order of the bytes. */
  public static long getLongBigEndian(long a) {
    return Long.reverseBytes(getLong(a));
  }

  public static int getIntVolatile(long a) {
    if (CHECKED) {
      MemRanges.check(a, 4);
    }
    return UNSAFE.getIntVolatile(null, a);
  }

  public static void putIntVolatile(long a, int v) {
    if (CHECKED) {
      MemRanges.check(a, 4);
    }
    UNSAFE.putIntVolatile(null, a, v);
  }

  public static boolean compareAndSetInt(long a, int expected, int v) {
    if (CHECKED) {
      MemRanges.check(a, 4);
    }
    return UNSAFE.compareAndSwapInt(null, a, expected, v);
  }

  public static long getLongVolatile(long a) {
    if (CHECKED) {
      MemRanges.check(a, 8);
    }
    return UNSAFE.getLongVolatile(null, a);
  }

  public static void putLongVolatile(long a, long v) {
    if (CHECKED) {
      MemRanges.check(a, 8);
    }
    UNSAFE.putLongVolatile(null, a, v);
  }

  /** Stores after all earlier stores, without the fence of a volatile store. */
  public static void putLongRelease(long a, long v) {
    if (CHECKED) {
      MemRanges.check(a, 8);
    }
    UNSAFE.putOrderedLong(null, a, v);
  }

  public static boolean compareAndSetLong(long a, long expected, long v) {
    if (CHECKED) {
      MemRanges.check(a, 8);
    }
    return UNSAFE.compareAndSwapLong(null, a, expected, v);
  }

  public static long getAndAddLong(long a, long delta) {
    if (CHECKED) {
      MemRanges.check(a, 8);
    }
    return UNSAFE.getAndAddLong(null, a, delta);
  }

  public static void copy(long from, long to, long bytes) {
    if (CHECKED) {
      MemRanges.check(from, bytes);
      MemRanges.check(to, bytes);
    }
    UNSAFE.copyMemory(from, to, bytes);
  }

  public static void copyIn(byte[] from, int offset, long to, int bytes) {
    Objects.checkFromIndexSize(offset, bytes, from.length);
    if (CHECKED) {
      MemRanges.check(to, bytes);
    }
    UNSAFE.copyMemory(from, BYTES + offset, null, to, bytes);
  }

  public static void copyOut(long from, byte[] to, int offset, int bytes) {
    Objects.checkFromIndexSize(offset, bytes, to.length);
    if (CHECKED) {
      MemRanges.check(from, bytes);
    }
    if (bytes >= Long.BYTES && bytes <= FEW_BYTES) {
      long at = BYTES + offset;
      int last = bytes - Long.BYTES;
      for (int i = 0; i < last; i += Long.BYTES) {
        UNSAFE.putLong(to, at + i, UNSAFE.getLong(from + i));
      }
      // The last word may cover bytes copied already; that saves a loop over single bytes.
      UNSAFE.putLong(to, at + last, UNSAFE.getLong(from + last));
    } else {
      UNSAFE.copyMemory(null, from, to, BYTES + offset, bytes);
    }
  }

  /** Reads 4 bytes of an array. */
  public static int getInt(byte[] from, int offset) {
    Objects.checkFromIndexSize(offset, 4, from.length);
    return UNSAFE.getInt(from, BYTES + offset);
  }

  /** Reads 8 bytes of an array. */
  public static long getLong(byte[] from, int offset) {
    Objects.checkFromIndexSize(offset, 8, from.length);
    return UNSAFE.getLong(from, BYTES + offset);
  }

  public static void fill(long a, long bytes, byte v) {
    if (CHECKED) {
      MemRanges.check(a, bytes);
    }
    UNSAFE.setMemory(a, bytes, v);
  }

  /**
   * Compares byte strings as unsigned bytes, a prefix before what it is a prefix of. Steps of 8
   * bytes, then single ones; overlapping the last step instead measured no better on keys of 3 to
   * 100 bytes.
   */
  public static int compare(long a, int aLength, long b, int bLength) {
    int common = Math.min(aLength, bLength);
    int i = 0;
    for (; i + 8 <= common; i += 8) {
      long x = getLong(a + i);
      long y = getLong(b + i);
      if (x != y) {
        return Long.compareUnsigned(Long.reverseBytes(x), Long.reverseBytes(y));
      }
    }
    for (; i < common; i++) {
      int d = (getByte(a + i) & 0xff) - (getByte(b + i) & 0xff);
      if (d != 0) {
        return d;
      }
    }
    return aLength - bLength;
  }

  /** {@link #compare(long, int, long, int)} of bytes on the heap with bytes at an address. */
  public static int compare(byte[] a, int aOffset, int aLength, long b, int bLength) {
    Objects.checkFromIndexSize(aOffset, aLength, a.length);
    int common = Math.min(aLength, bLength);
    long base = BYTES + aOffset;
    int i = 0;
    for (; i + 8 <= common; i += 8) {
      long x = UNSAFE.getLong(a, base + i);
      long y = getLong(b + i);
      if (x != y) {
        return Long.compareUnsigned(Long.reverseBytes(x), Long.reverseBytes(y));
      }
    }
    for (; i < common; i++) {
      int d = (a[aOffset + i] & 0xff) - (getByte(b + i) & 0xff);
      if (d != 0) {
        return d;
      }
    }
    return aLength - bLength;
  }

  /** The index of the first byte that differs, {@code length} if none does. */
  public static int mismatch(long a, long b, int length) {
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      long difference = getLong(a + i) ^ getLong(b + i);
      if (difference != 0) {
        return i + (Long.numberOfTrailingZeros(difference) >>> 3);
      }
    }
    while (i < length && getByte(a + i) == getByte(b + i)) {
      i++;
    }
    return i;
  }

  /**
   * How many bytes from an address on are zero, counted in whole words of 8 bytes; {@code bytes} is
   * a multiple of 8.
   */
  public static long zeroBytes(long a, long bytes) {
    if (CHECKED) {
      MemRanges.check(a, bytes);
    }
    long i = 0;
    while (i < bytes && UNSAFE.getLong(a + i) == 0) {
      i += 8;
    }
    return i;
  }

  /** Orders the loads before it before the loads and stores after it. */
  public static void loadFence() {
    UNSAFE.loadFence();
  }

  /** Orders the stores before it before the stores after it. */
  public static void storeFence() {
    UNSAFE.storeFence();
  }

  public static void fullFence() {
    UNSAFE.fullFence();
  }

  /**
   * A new direct buffer of no bytes, to be aimed with {@link #aim}; owned by one thread at a time.
   */
  public static ByteBuffer newWindow() {
    return ByteBuffer.allocateDirect(0).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Lets a window show {@code length} bytes at an address, position 0; does not own them. */
  public static ByteBuffer aim(ByteBuffer window, long address, int length) {
    if (CHECKED) {
      MemRanges.check(address, length);
    }
    UNSAFE.putLong(window, BUFFER_ADDRESS, address);
    UNSAFE.putInt(window, BUFFER_CAPACITY, length);
    window.clear();
    return window;
  }

  /** The address of a direct buffer's first byte, whatever its position. */
  public static long addressOf(ByteBuffer direct) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException("not a direct buffer: " + direct);
    }
    return UNSAFE.getLong(direct, BUFFER_ADDRESS);
  }

  /** Frees or unmaps a direct buffer now; touching its bytes afterwards may stop the process. */
  public static void unmap(ByteBuffer direct) {
    UNSAFE.invokeCleaner(direct);
  }

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static long bufferField(String name) {
    try {
      return UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField(name));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
