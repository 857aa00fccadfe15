package org.loam.engine.read;

import org.loam.common.error.ClosedException;
import org.loam.engine.host.HostCursor;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.lsm.LsmTree;
import org.loam.lsm.ScanBatch;
import org.loam.lsm.TreeScan;

/**
 * Walks a range of a tree as it was at one moment, however long that takes; it delays neither
 * flushes nor merges. One thread at a time. Begins before the first entry.
 */
public final class TreeCursor implements HostCursor {
  private final ReadPath path;
  private final LsmTree tree;
  private final TreeScan scan;
  private final long readLsn;
  private boolean atEntry;
  private boolean closed;

  /**
   * @param readLsn registered for this cursor, which releases it
   * @param batch an empty one, which the cursor gives back
   */
  TreeCursor(ReadPath path, LsmTree tree, TreeScan.Range range, long readLsn, ScanBatch batch) {
    this.path = path;
    this.tree = tree;
    this.readLsn = readLsn;
    this.scan = new TreeScan(tree, range, readLsn, batch);
  }

  @Override
  public boolean next() {
    if (closed) {
      throw new ClosedException("the cursor was closed");
    }
    if (scan.nextFetched()) {
      atEntry = true;
      return true;
    }
    atEntry = false;
    boolean more = true;
    while (more && !atEntry) {
      more = fetch();
      atEntry = more && scan.nextFetched();
    }
    return atEntry;
  }

  /**
   * Each batch is an operation: a close waits for one of them, not for the next row, which may lie
   * behind any number of deleted keys.
   */
  private boolean fetch() {
    path.reader().requireOpen(tree);
    Operations operations = path.operations();
    OperationContext context = operations.enter();
    try {
      return scan.fetch(context.workspace);
    } finally {
      operations.exit(context);
    }
  }

  /** The moment that it shows; registered until it is closed. */
  public long readLsn() {
    return readLsn;
  }

  @Override
  public boolean isInMemory() {
    return entry().isInMemory();
  }

  @Override
  public boolean isAntiMatter() {
    return entry().isAntiMatter();
  }

  @Override
  public byte[] key() {
    byte[] key = new byte[keyLength()];
    copyKey(key, 0);
    return key;
  }

  @Override
  public byte[] value() {
    byte[] value = new byte[valueLength()];
    copyValue(value, 0);
    return value;
  }

  @Override
  public int keyLength() {
    return entry().keyLength();
  }

  @Override
  public byte[] keyArray() {
    return entry().keyArray();
  }

  @Override
  public int keyOffset() {
    return entry().keyOffset();
  }

  @Override
  public int valueLength() {
    return entry().valueLength();
  }

  /**
   * Copies the key, which must fit.
   *
   * @return its length
   */
  public int copyKey(byte[] target, int offset) {
    entry().copyKey(target, offset);
    return keyLength();
  }

  /**
   * Copies the value, which must fit.
   *
   * @return its length
   */
  public int copyValue(byte[] target, int offset) {
    entry().copyValue(target, offset);
    return valueLength();
  }

  @Override
  public byte[] valueArray() {
    return entry().valueArray();
  }

  @Override
  public int valueOffset() {
    return entry().valueOffset();
  }

  private ScanBatch entry() {
    if (!atEntry) {
      throw new IllegalStateException("the cursor is not at an entry; call next() first");
    }
    return scan.batch();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      atEntry = false;
      path.registry().release(readLsn);
      path.batches().give(scan.batch());
    }
  }
}
