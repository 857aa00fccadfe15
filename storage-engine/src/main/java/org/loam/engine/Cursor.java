package org.loam.engine;

import org.loam.common.error.ClosedException;
import org.loam.lsm.ScanBatch;
import org.loam.lsm.TreeScan;

/**
 * Walks a range of a tree as it was at one moment, however long that takes; it delays neither
 * flushes nor merges. One thread at a time. Begins before the first entry.
 */
public final class Cursor implements AutoCloseable {
  private final Tree tree;
  private final TreeScan scan;
  private final long readLsn;
  private boolean atEntry;
  private boolean closed;

  /**
   * @param readLsn registered for this cursor, which releases it
   */
  Cursor(Tree tree, ScanOptions options, long readLsn) {
    this.tree = tree;
    this.readLsn = readLsn;
    ScanBatch batch = tree.engine().kernel().scanBatches.take();
    this.scan = new TreeScan(tree.lsm(), options.range(), readLsn, batch);
  }

  /**
   * Moves to the next entry in the scan's order.
   *
   * @return false past the end
   * @throws ClosedException if cursor, tree or engine was closed
   */
  public boolean next() {
    if (closed) {
      throw new ClosedException("the cursor was closed");
    }
    if (scan.nextFetched()) {
      atEntry = true;
      return true;
    }
    atEntry = false;
    tree.requireOpen();
    Operations operations = tree.engine().kernel().operations;
    OperationContext context = operations.enter();
    try {
      atEntry = scan.next(context.workspace);
      return atEntry;
    } finally {
      operations.exit(context);
    }
  }

  /** The moment that it shows; registered until it is closed. */
  long readLsn() {
    return readLsn;
  }

  /**
   * Whether the entry was in write memory when the cursor fetched it. If not, it is from an
   * SSTable, and write memory had nothing of its key that the cursor may show. So a host that lets
   * nothing be flushed before it is committed knows of such an entry that it is.
   */
  public boolean isInMemory() {
    return entry().isInMemory();
  }

  /**
   * Whether there is no entry but the delete of one, in write memory; its value is empty. Only with
   * {@link ScanOptions#withAntiMatterInMemory}.
   */
  public boolean isAntiMatter() {
    return entry().isAntiMatter();
  }

  /** A copy of the key. */
  public byte[] key() {
    byte[] key = new byte[keyLength()];
    copyKey(key, 0);
    return key;
  }

  /** A copy of the value. */
  public byte[] value() {
    byte[] value = new byte[valueLength()];
    copyValue(value, 0);
    return value;
  }

  /** Bytes of the key. */
  public int keyLength() {
    return entry().keyLength();
  }

  /** Bytes of the value. */
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

  /**
   * The value where the cursor has it, for who only looks at it: {@link #valueLength} bytes of this
   * array from {@link #valueOffset} on. They stay until the next call of {@link #next} or {@link
   * #close}, after which there may be others, be they of another cursor; not to be changed.
   */
  public byte[] valueArray() {
    return entry().valueArray();
  }

  /** Where the value begins in {@link #valueArray}. */
  public int valueOffset() {
    return entry().valueOffset();
  }

  private ScanBatch entry() {
    if (!atEntry) {
      throw new IllegalStateException("the cursor is not at an entry; call next() first");
    }
    return scan.batch();
  }

  /** Ends the scan. Closing twice is harmless. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      atEntry = false;
      Kernel kernel = tree.engine().kernel();
      kernel.reads.release(readLsn);
      kernel.scanBatches.give(scan.batch());
    }
  }
}
