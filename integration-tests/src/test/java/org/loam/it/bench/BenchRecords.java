package org.loam.it.bench;

import org.loam.common.env.Waiter;
import org.loam.common.env.real.RealEnv;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Epochs;
import org.loam.common.mem.Mem;
import org.loam.common.mem.PagePool;
import org.loam.lsm.memory.MemoryComponent;
import org.loam.lsm.memory.VersionRetention;
import org.loam.workbench.workload.Keys;

/** Records off-heap, in random key order, and the memory for components that hold all of them. */
final class BenchRecords implements AutoCloseable {
  static final int PAGE_BYTES = 8 << 10;

  /** What a commit is, about: nodes are reserved for so many inserts at once. */
  private static final int BATCH = 100;

  private static final VersionRetention KEEP_NONE = (older, newer) -> false;

  private final int count;
  private final int valueBytes;
  private final long keys;
  private final long value;
  private final PagePool pool;
  private final PagePool.Quota quota;

  /**
   * @param components how many of them there will be at a time
   */
  BenchRecords(int count, int valueBytes, int components) {
    this.count = count;
    this.valueBytes = valueBytes;
    this.keys = Mem.allocate((long) count * Keys.LENGTH_BYTES, 8);
    this.value = Mem.allocate(valueBytes, 8);
    Mem.fill(value, valueBytes, (byte) 7);
    byte[] key = Keys.newBuffer();
    for (int i = 0; i < count; i++) {
      Keys.write(Keys.identity(i), key);
      Mem.copyIn(key, 0, key(i), key.length);
    }
    // 64 bytes for header and nodes; pages filled by half at worst.
    long bytes = 2L * components * count * (Keys.LENGTH_BYTES + valueBytes + 64);
    int pages = (int) (bytes / PAGE_BYTES) + 64;
    this.pool = new PagePool(pages, PAGE_BYTES);
    Mem.fill(pool.base(), (long) pages * PAGE_BYTES, (byte) 0);
    this.quota = pool.quota("bench", pages);
  }

  /** Address of a key of {@link Keys#LENGTH_BYTES}. */
  long key(int index) {
    return keys + (long) index * Keys.LENGTH_BYTES;
  }

  /** A component with the records from, from + step and so on, as LSNs their indexes. */
  MemoryComponent fill(int from, int step) {
    Waiter waiter = RealEnv.create().waiter();
    MemoryComponent component =
        new MemoryComponent(quota, PAGE_BYTES, new Epochs(waiter, 1), waiter);
    int reserved = 0;
    for (int i = from; i < count; i += step) {
      if (reserved-- == 0) {
        reserved = BATCH - 1;
        require(component.reserve(BATCH));
      }
      long record = component.prepare(EntryKind.PUT, key(i), Keys.LENGTH_BYTES, value, valueBytes);
      require(record != 0);
      component.insert(record, i, KEEP_NONE);
    }
    return component;
  }

  private static void require(boolean enough) {
    if (!enough) {
      throw new AssertionError("the pool is too small");
    }
  }

  @Override
  public void close() {
    pool.discard();
    Mem.free(keys);
    Mem.free(value);
  }
}
