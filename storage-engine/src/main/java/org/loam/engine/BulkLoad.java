package org.loam.engine;

import java.util.Arrays;
import java.util.List;
import org.loam.common.error.ClosedException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.key.Keys;
import org.loam.lsm.WorkObserver;
import org.loam.lsm.merge.TableLoad;
import org.loam.lsm.version.LiveTable;

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
 * org.loam.common.error.DiskFullException} the space that it took is free again. The exceptions are
 * those of {@link #commit}, which say that nobody knows.
 */
public final class BulkLoad implements AutoCloseable {
  /** No batch of any configuration has room for a larger value. */
  private static final int MAX_VALUE_BYTES = 32 << 20;

  private final Tree tree;
  private final Kernel kernel;
  private final TableLoad output;
  private final LoadPace pace;
  private final WorkObserver.Ending ending;
  private byte[] lastKey = new byte[64];
  private int lastLength = -1;

  /** From the manifest edit on, until it is known not to count. */
  private boolean inDoubt;

  private boolean installed;
  private boolean ended;

  /**
   * @param ending is told how it ends
   */
  BulkLoad(Tree tree, TableLoad output, LoadPace pace, WorkObserver.Ending ending) {
    this.tree = tree;
    this.kernel = tree.engine().kernel();
    this.output = output;
    this.pace = pace;
    this.ending = ending;
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
    if (Arguments.require(value, "value").length > MAX_VALUE_BYTES) {
      throw new IllegalArgumentException(
          "the value has " + value.length + " bytes, must have at most " + MAX_VALUE_BYTES);
    }
    pace.pay(output.sizeBytes());
    inside(
        () -> {
          requireAboveLast(key);
          write(key, value);
        });
  }

  private void requireAboveLast(byte[] key) {
    if (lastLength >= 0
        && Arrays.compareUnsigned(key, 0, key.length, lastKey, 0, lastLength) <= 0) {
      throw new IllegalArgumentException(
          "key "
              + Keys.describe(key)
              + " must be above "
              + Keys.describe(Arrays.copyOf(lastKey, lastLength))
              + ", the one before; a bulk load takes keys in ascending order, each once");
    }
  }

  private void write(byte[] key, byte[] value) {
    output.add(key, value);
    if (key.length > lastKey.length) {
      lastKey = new byte[2 * key.length];
    }
    System.arraycopy(key, 0, lastKey, 0, key.length);
    lastLength = key.length;
    if (output.needsForce()) {
      output.force();
    }
  }

  /**
   * Makes what was added the content of the tree: durable, whatever the durability of the database,
   * and seen by everybody who begins to read from now on, but not by snapshots and cursors that are
   * open.
   *
   * @throws ClosedException if the load has ended, or the tree was dropped or the engine closed
   * @throws FencedException if the engine is fenced; if by this very commit, reopening tells
   *     whether it counts
   * @throws StorageException if it failed otherwise; nothing of it stays
   */
  public void commit() {
    inside(
        () -> {
          List<LiveTable> tables = output.finish();
          if (!tables.isEmpty()) {
            install(tables);
          }
          end();
        });
    kernel.committer.awaitPublished();
  }

  private void install(List<LiveTable> tables) {
    kernel.installer.prepareLoad(output.lsn());
    inDoubt = true;
    try {
      tree.lsm()
          .installLoad(
              tables,
              output.lsn(),
              (change, show) -> {
                kernel.installer.install(change, show);
                installed = true;
                output.installed();
                ending.installed(tables);
              });
    } finally {
      if (!installed) {
        kernel.committer.unreserve();
      }
    }
    inDoubt = false;
    if (!installed) {
      tree.requireOpen();
    }
  }

  /** Does a part of the load, which a fault ends. */
  private void inside(Runnable part) {
    OperationContext context = kernel.operations.enter();
    try {
      requireGoingOn();
      part.run();
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (Throwable t) {
      // Other faults of the storage say that nothing has changed.
      inDoubt &= t instanceof FencedException || !(t instanceof StorageException);
      end();
      throw t;
    } finally {
      kernel.operations.exit(context);
    }
  }

  private void requireGoingOn() {
    if (ended) {
      throw new ClosedException("the bulk load of " + tree + " has ended; begin another one");
    }
    tree.requireOpen();
    kernel.committer.requireMayWait();
  }

  /** Deletes what was not committed. Closing twice, or after {@link #commit}, is harmless. */
  @Override
  public void close() {
    OperationContext context;
    try {
      context = kernel.operations.enter();
    } catch (ClosedException e) {
      // The engine ends it, or has.
      return;
    }
    try {
      end();
    } finally {
      kernel.operations.exit(context);
    }
  }

  /** Ends it, if it has not ended: what is not installed is deleted. Inside of an operation. */
  void end() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      if (inDoubt) {
        output.leave();
      } else {
        output.abandon();
      }
    } finally {
      tree.engine().loads().remove(this);
      if (!installed) {
        kernel.committer.underLatch(tree.lsm()::endLoad);
        ending.aborted();
      }
    }
  }
}
