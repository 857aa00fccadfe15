package org.loam.engine;

import org.loam.common.error.Arguments;
import org.loam.common.error.ClosedException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.engine.load.Load;
import org.loam.lsm.memory.MemoryRecord;

/**
 * Fills an empty tree with sorted entries; made by {@link Tree#bulkLoad}. One thread at a time.
 *
 * <pre>{@code
 * try (BulkLoad load = tree.bulkLoad()) {
 *   while (rows.next()) {
 *     load.add(rows.key(), rows.value());
 *   }
 *   load.commit();
 * }
 * }</pre>
 *
 * <p>A {@link StorageException} ends the load, and nothing of it stays; with {@link
 * org.loam.common.error.DiskFullException} the space that it took is free again. One case is
 * different: after a {@link FencedException} of {@link #commit} only reopening tells whether the
 * load counts.
 */
public final class BulkLoad implements AutoCloseable {
  /** No batch of any configuration has room for a larger value, unless a host has the log. */
  private static final int MAX_VALUE_BYTES = 32 << 20;

  private final Tree tree;
  private final Load load;
  private final boolean isHosted;

  BulkLoad(Tree tree, Load load) {
    this.tree = tree;
    this.load = load;
    this.isHosted = tree.open().storage().log().isHosted();
  }

  /**
   * Adds an entry. Waits if the load is faster than {@code io.limitBytesPerSecond} allows.
   *
   * @throws IllegalArgumentException if the key is not above the one before, compared as unsigned
   *     bytes, or key or value are too long; the load is as before then
   * @throws ClosedException if the load has ended, or the tree was dropped or the engine closed
   * @throws org.loam.common.error.DiskFullException with needed and free bytes; the load has ended
   */
  public void add(byte[] key, byte[] value) {
    tree.requireKey(key);
    int most = isHosted ? MemoryRecord.MAX_VALUE_BYTES : MAX_VALUE_BYTES;
    if (Arguments.require(value, "value").length > most) {
      throw new IllegalArgumentException(
          "the value has " + value.length + " bytes, must have at most " + most);
    }
    load.add(key, value);
  }

  /**
   * Makes what was added the content of the tree. It is durable then, whatever the durability of
   * the database, as are all writes before it. Reads that begin later see it; snapshots and cursors
   * that are open do not.
   *
   * @throws ClosedException if the load has ended, or the tree was dropped or the engine closed
   * @throws FencedException if the engine is fenced; if by this very commit, reopening tells
   *     whether it counts
   * @throws StorageException if it failed otherwise; nothing of it stays
   */
  public void commit() {
    load.commit();
  }

  /** Deletes what was not committed. Closing twice, or after {@link #commit}, is harmless. */
  @Override
  public void close() {
    load.close();
  }
}
