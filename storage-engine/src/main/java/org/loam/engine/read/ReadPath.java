package org.loam.engine.read;

import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.lsm.LsmTree;
import org.loam.lsm.ScanBatches;
import org.loam.lsm.TreeScan;
import org.loam.lsm.visibility.ReadRegistry;

/** The way of a read: single keys, many keys, ranges, and moments that stay. Thread-safe. */
public final class ReadPath {
  /** All keys, ascending; pages that are read do not stay in the buffer cache. */
  public static final TreeScan.Range ALL_IN_PASSING =
      new TreeScan.Range(null, null, true, ReadIntent.QUERY_ONCE, Long.MAX_VALUE);

  private final Operations operations;
  private final ReadRegistry registry;
  private final ScanBatches batches = new ScanBatches();
  private final TreeReader reader;
  private final MultiGet multiGet;

  /**
   * @param helpers read for {@link #multiGet}, beside its callers
   * @param pageBytes page size of the database
   */
  public ReadPath(
      Operations operations, ReadRegistry registry, ReadHelpers helpers, int pageBytes) {
    this.operations = operations;
    this.registry = registry;
    this.reader = new TreeReader(operations, pageBytes);
    this.multiGet = new MultiGet(helpers, reader);
  }

  public Operations operations() {
    return operations;
  }

  public TreeReader reader() {
    return reader;
  }

  public MultiGet multiGet() {
    return multiGet;
  }

  /** The values of many keys, all of one moment, null where there is none. */
  public byte[] @Nullable [] readAll(LsmTree tree, byte[][] keys) {
    long readLsn = register();
    try {
      return multiGet.read(tree, keys, keys.length, readLsn);
    } finally {
      registry.release(readLsn);
    }
  }

  /** A cursor over a range as it is now. */
  public TreeCursor scan(LsmTree tree, TreeScan.Range range) {
    OperationContext context = operations.enter();
    try {
      return scanAt(tree, range, registry.register());
    } finally {
      operations.exit(context);
    }
  }

  /**
   * A cursor over a range as it was.
   *
   * @param readLsn registered for this cursor, which releases it; if it cannot be made for lack of
   *     memory, it is released at once
   */
  TreeCursor scanAt(LsmTree tree, TreeScan.Range range, long readLsn) {
    try {
      return new TreeCursor(this, tree, range, readLsn, batches.take());
    } catch (Throwable t) {
      registry.release(readLsn);
      throw t;
    }
  }

  /** The state of all trees now, until it is closed. */
  public Moment moment() {
    return new Moment(this, register());
  }

  private long register() {
    OperationContext context = operations.enter();
    try {
      return registry.register();
    } finally {
      operations.exit(context);
    }
  }

  public ReadRegistry registry() {
    return registry;
  }

  ScanBatches batches() {
    return batches;
  }
}
