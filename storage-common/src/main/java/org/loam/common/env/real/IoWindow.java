package org.loam.common.env.real;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.loam.common.env.StorageFiles;
import org.loam.common.mem.Mem;

/**
 * What one I/O call needs: a buffer to aim at raw addresses and, for unaligned calls, aligned
 * memory to stage bytes in. One thread owns a window between {@link #acquire} and {@link #release}.
 *
 * <p>Windows wait in a small pool for the whole process; threads start looking at different places,
 * so that a call normally costs one atomic exchange each way and allocates nothing.
 */
final class IoWindow {
  /** Bytes staged per turn; at most {@code POOL_SLOTS} times this stay allocated. */
  static final int STAGING_BYTES = 64 << 10;

  private static final int POOL_SLOTS = 32;
  private static final AtomicReferenceArray<IoWindow> POOL = new AtomicReferenceArray<>(POOL_SLOTS);

  final ByteBuffer buffer = Mem.newWindow();
  private long staging;

  private IoWindow() {}

  static IoWindow acquire() {
    int start = firstSlot();
    for (int i = 0; i < POOL_SLOTS; i++) {
      int slot = (start + i) & (POOL_SLOTS - 1);
      if (POOL.getPlain(slot) != null) {
        IoWindow window = POOL.getAndSet(slot, null);
        if (window != null) {
          return window;
        }
      }
    }
    return new IoWindow();
  }

  void release() {
    int start = firstSlot();
    for (int i = 0; i < POOL_SLOTS; i++) {
      int slot = (start + i) & (POOL_SLOTS - 1);
      if (POOL.getPlain(slot) == null && POOL.compareAndSet(slot, null, this)) {
        return;
      }
    }
    if (staging != 0) {
      Mem.free(staging);
      staging = 0;
    }
  }

  /** {@link #STAGING_BYTES} of aligned memory. */
  long staging() {
    if (staging == 0) {
      staging = Mem.allocate(STAGING_BYTES, StorageFiles.ALIGNMENT);
    }
    return staging;
  }

  /** The buffer, showing the given bytes. */
  ByteBuffer aim(long address, int length) {
    return Mem.aim(buffer, address, length);
  }

  private static int firstSlot() {
    return (int) ((Thread.currentThread().getId() * 0x9e3779b97f4a7c15L) >>> 59);
  }
}
