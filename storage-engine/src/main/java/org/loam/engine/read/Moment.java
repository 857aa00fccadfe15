package org.loam.engine.read;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.error.ClosedException;
import org.loam.lsm.LsmTree;
import org.loam.lsm.TreeScan;

/** The state of all trees at one moment. Thread-safe. Close it, or old versions are kept for it. */
public final class Moment implements AutoCloseable {
  private final ReadPath path;
  private final long readLsn;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param readLsn registered for this moment, which releases it
   */
  Moment(ReadPath path, long readLsn) {
    this.path = path;
    this.readLsn = readLsn;
  }

  /** The value a key had, or null. */
  public byte @Nullable [] read(LsmTree tree, byte[] key) {
    hold();
    try {
      return path.reader().read(tree, key, readLsn, ReadIntent.QUERY);
    } finally {
      path.registry().release(readLsn);
    }
  }

  /** A cursor over the entries that there were. It stays usable when the moment is closed. */
  public TreeCursor scan(LsmTree tree, TreeScan.Range range) {
    path.reader().requireOpen(tree);
    hold();
    return path.scanAt(tree, range, readLsn);
  }

  /** Registered until the moment is closed. */
  public long readLsn() {
    return readLsn;
  }

  /** Registers the read LSN once more, so that closing does not take it from under a reader. */
  private synchronized void hold() {
    if (closed) {
      throw new ClosedException("the snapshot was closed");
    }
    path.registry().registerAgain(readLsn);
  }

  /** Lets its versions go. Closing twice is harmless. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      path.registry().release(readLsn);
    }
  }
}
