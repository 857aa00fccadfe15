package org.loam.engine.load;

import java.util.Arrays;
import java.util.List;
import org.loam.common.error.ClosedException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.key.Keys;
import org.loam.engine.operation.OperationContext;
import org.loam.lsm.LsmTree;
import org.loam.lsm.WorkObserver;
import org.loam.lsm.merge.TableLoad;
import org.loam.lsm.version.LiveTable;

/** A bulk load that is open. One thread at a time. */
public final class Load {
  private final LsmTree tree;
  private final Loads loads;
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
   * @param loads what it works with; forgets it when it ends
   * @param ending is told how it ends
   */
  Load(Loads loads, LsmTree tree, TableLoad output, LoadPace pace, WorkObserver.Ending ending) {
    this.loads = loads;
    this.tree = tree;
    this.output = output;
    this.pace = pace;
    this.ending = ending;
  }

  /**
   * Adds an entry whose key and value are not too long. Waits if the load is faster than it may be.
   *
   * @throws IllegalArgumentException if the key is not above the one before; the load is as before
   *     then
   * @throws ClosedException if the load has ended, or the tree was dropped or the engine closed
   */
  public void add(byte[] key, byte[] value) {
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
   * Makes what was added the content of the tree.
   *
   * @throws FencedException if the engine is fenced; if by this very commit, reopening tells
   *     whether it counts
   * @throws StorageException if it failed otherwise; nothing of it stays
   */
  public void commit() {
    inside(
        () -> {
          List<LiveTable> tables = output.finish();
          if (tables.isEmpty()) {
            // No entry takes the earlier writes along, which are to be durable all the same.
            loads.latch().awaitDurable();
          } else {
            install(tables);
          }
          end();
        });
    loads.latch().awaitPublished();
  }

  private void install(List<LiveTable> tables) {
    loads.installer().prepareLoad();
    inDoubt = true;
    try {
      loads
          .componentsOf(tree)
          .installLoad(
              tables,
              output.lsn(),
              (change, show) -> {
                loads.installer().install(change, show);
                installed = true;
                output.installed();
                ending.installed(tables);
              });
    } finally {
      if (!installed) {
        loads.installer().cancelLoad();
      }
    }
    inDoubt = false;
    if (!installed) {
      requireOpen();
    }
  }

  /** Does a part of the load, which a fault ends. */
  private void inside(Runnable part) {
    OperationContext context = loads.operations().enter();
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
      loads.operations().exit(context);
    }
  }

  private void requireGoingOn() {
    if (ended) {
      throw new ClosedException("the bulk load of " + tree + " has ended; begin another one");
    }
    requireOpen();
    loads.admission().requireMayWait();
  }

  private void requireOpen() {
    loads.operations().requireOpen();
    tree.requireNotDropped();
  }

  /** Deletes what was not committed. Closing twice, or after {@link #commit}, is harmless. */
  public void close() {
    OperationContext context;
    try {
      context = loads.operations().enter();
    } catch (ClosedException e) {
      // The engine ends it, or has.
      return;
    }
    try {
      end();
    } finally {
      loads.operations().exit(context);
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
      loads.remove(this);
      if (!installed) {
        loads.latch().underLatch(tree::endLoad);
        ending.aborted();
      }
    }
  }
}
