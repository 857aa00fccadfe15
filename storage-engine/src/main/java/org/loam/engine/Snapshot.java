package org.loam.engine;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.ClosedException;

/** The state of all trees at one moment. Thread-safe. Close it, or old versions are kept for it. */
public final class Snapshot implements AutoCloseable {
  private final Engine engine;
  private final long readLsn;
  private boolean closed;

  /**
   * @param readLsn registered for this snapshot, which releases it
   */
  Snapshot(Engine engine, long readLsn) {
    this.engine = engine;
    this.readLsn = readLsn;
  }

  /** The value a key had, or null. */
  public byte @Nullable [] get(Tree tree, byte[] key) {
    require(tree);
    hold();
    try {
      return tree.read(key, readLsn, true);
    } finally {
      engine.kernel().reads.release(readLsn);
    }
  }

  /** A cursor over the entries that there were. It stays usable when the snapshot is closed. */
  public Cursor scan(Tree tree, ScanOptions options) {
    require(tree);
    tree.requireBounds(options);
    hold();
    return new Cursor(tree, options, readLsn);
  }

  /** Registered until the snapshot is closed. */
  long readLsn() {
    return readLsn;
  }

  private void require(Tree tree) {
    if (Arguments.require(tree, "tree").engine() != engine) {
      throw new IllegalArgumentException(tree + " is of another engine than the snapshot");
    }
    tree.requireOpen();
  }

  /** Registers the read LSN once more, so that closing does not take it from under a reader. */
  private synchronized void hold() {
    if (closed) {
      throw new ClosedException("the snapshot was closed");
    }
    engine.kernel().reads.registerAgain(readLsn);
  }

  /** Lets its versions go. Closing twice is harmless. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      engine.kernel().reads.release(readLsn);
    }
  }
}
