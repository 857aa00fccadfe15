package org.loam.cache.frame;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.loam.common.env.StorageFiles;
import org.loam.common.mem.FixedMemory;

/**
 * Where runs of pages are read to before each goes to a frame of its own. There are few; who finds
 * none reads one page. Thread-safe.
 */
final class ReadAheadBuffers {
  /** What {@link #take} returns if all are in use. */
  static final int NONE = -1;

  /**
   * Bytes of a buffer: on a virtual disk a request of so many takes 0.24 ms, as one of 128 KiB
   * does, and one of 16 KiB 0.15 ms.
   */
  static final int BUFFER_BYTES = 256 << 10;

  /**
   * One buffer for so much of the pool; and, if it is not tiny, one for a thread that reads ahead.
   */
  private static final long POOL_BYTES_PER_BUFFER = 32L << 20;

  private static final int MAX_BUFFERS = 16;

  private final FixedMemory fixed;
  private final long base;
  private final AtomicIntegerArray used;

  ReadAheadBuffers(FixedMemory fixed, long poolBytes) {
    int count = count(poolBytes);
    this.fixed = fixed;
    this.base =
        count == 0 ? 0 : fixed.allocate("read-ahead", bytes(poolBytes), StorageFiles.ALIGNMENT);
    this.used = new AtomicIntegerArray(count);
  }

  /** Bytes of all buffers of a cache over a pool of a size; none for a tiny pool. */
  static long bytes(long poolBytes) {
    return (long) count(poolBytes) * BUFFER_BYTES;
  }

  private static int count(long poolBytes) {
    long shared = Math.min(MAX_BUFFERS, poolBytes / POOL_BYTES_PER_BUFFER);
    return (int) (shared > 1 ? 1 + shared : shared);
  }

  /** A buffer that is now the caller's, or {@link #NONE}. */
  int take() {
    for (int i = 0; i < used.length(); i++) {
      if (used.getPlain(i) == 0 && used.compareAndSet(i, 0, 1)) {
        return i;
      }
    }
    return NONE;
  }

  /** As {@link #take}, but leaves one to those who wait for what they read. */
  int takeSpare() {
    int buffer = take();
    for (int i = 0; buffer != NONE && i < used.length(); i++) {
      if (used.getPlain(i) == 0) {
        return buffer;
      }
    }
    if (buffer != NONE) {
      give(buffer);
    }
    return NONE;
  }

  long address(int buffer) {
    return base + (long) buffer * BUFFER_BYTES;
  }

  void give(int buffer) {
    used.setRelease(buffer, 0);
  }

  void close() {
    if (base != 0) {
      fixed.free(base);
    }
  }
}
