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
   * Bytes of a buffer: a request of so many costs about three times one of 4 KiB, where the pages
   * one by one would cost 16 to 32 times as much.
   */
  static final int BUFFER_BYTES = 128 << 10;

  /** One buffer for so much of the pool. */
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
    return (int) Math.min(MAX_BUFFERS, poolBytes / POOL_BYTES_PER_BUFFER);
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
