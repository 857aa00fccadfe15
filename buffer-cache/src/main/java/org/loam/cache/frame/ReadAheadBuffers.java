package org.loam.cache.frame;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.loam.common.env.StorageFiles;
import org.loam.common.mem.FixedMemory;

/**
 * Buffers into which stretches are read before each page goes to a frame of its own. A few are for
 * readers that wait for what they read, and larger ones are for threads that read ahead of readers.
 * If none is free, a reader reads one page, and a thread that reads ahead reads nothing.
 * Thread-safe.
 */
final class ReadAheadBuffers {
  /** What {@link #take} returns if all are in use. */
  static final int NONE = -1;

  /** Bytes of the buffer of a waiting reader; a virtual disk takes 0.18 ms to read so many. */
  static final int BUFFER_BYTES = 256 << 10;

  /** Bytes of a buffer for what is not waited for yet: 0.29 ms for twice as many. */
  static final int AHEAD_BYTES = 512 << 10;

  /** Buffers to read ahead: one thread reads while another lists what it has read. */
  static final int AHEAD_BUFFERS = 2;

  /** One buffer for so much of the pool; and, if it is not tiny, those to read ahead. */
  private static final long POOL_BYTES_PER_BUFFER = 32L << 20;

  private static final int MAX_BUFFERS = 16;

  private final FixedMemory fixed;
  private final long base;
  private final int buffers;

  /** 1 for each buffer in use: first those of waiting readers, then those to read ahead. */
  private final AtomicIntegerArray used;

  ReadAheadBuffers(FixedMemory fixed, long poolBytes) {
    this.fixed = fixed;
    this.buffers = buffers(poolBytes);
    this.base =
        buffers == 0 ? 0 : fixed.allocate("read-ahead", bytes(poolBytes), StorageFiles.ALIGNMENT);
    this.used = new AtomicIntegerArray(buffers + aheadBuffers(poolBytes));
  }

  /** Bytes of all buffers of a cache over a pool of a size; none for a tiny pool. */
  static long bytes(long poolBytes) {
    return (long) buffers(poolBytes) * BUFFER_BYTES + (long) aheadBuffers(poolBytes) * AHEAD_BYTES;
  }

  private static int buffers(long poolBytes) {
    return (int) Math.min(MAX_BUFFERS, poolBytes / POOL_BYTES_PER_BUFFER);
  }

  private static int aheadBuffers(long poolBytes) {
    return buffers(poolBytes) > 1 ? AHEAD_BUFFERS : 0;
  }

  /** A buffer for a reader that waits, now the caller's, or {@link #NONE}. */
  int take() {
    return take(0, buffers);
  }

  /** A buffer to read ahead of readers, now the caller's, or {@link #NONE}. */
  int takeAhead() {
    return take(buffers, used.length());
  }

  private int take(int from, int to) {
    for (int i = from; i < to; i++) {
      if (used.getPlain(i) == 0 && used.compareAndSet(i, 0, 1)) {
        return i;
      }
    }
    return NONE;
  }

  long address(int buffer) {
    int ahead = Math.max(0, buffer - buffers);
    return base + (long) (buffer - ahead) * BUFFER_BYTES + (long) ahead * AHEAD_BYTES;
  }

  /** Bytes that fit into it. */
  int bytes(int buffer) {
    return buffer < buffers ? BUFFER_BYTES : AHEAD_BYTES;
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
