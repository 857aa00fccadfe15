package org.loam.engine.read;

import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.error.ClosedException;
import org.loam.engine.host.Found;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.lsm.LsmTree;
import org.loam.lsm.PointRead;

/** Reads single keys of trees. Keys have been checked. Thread-safe. */
public final class TreeReader {
  /** Returned instead of a length: the key has no value. */
  public static final int ABSENT = -1;

  private final Operations operations;
  private final int pageBytes;

  /** By the slots of operations; each is used by the operation in its slot alone. */
  private final @Nullable PointRead[] reads = new PointRead[Operations.MAX_CONCURRENT];

  /**
   * @param pageBytes page size of the database
   */
  TreeReader(Operations operations, int pageBytes) {
    this.operations = operations;
    this.pageBytes = pageBytes;
  }

  private PointRead readOf(OperationContext context) {
    PointRead found = reads[context.slot()];
    if (found == null) {
      found = new PointRead(pageBytes);
      reads[context.slot()] = found;
    }
    return found;
  }

  /**
   * Lets pass what reads a tree.
   *
   * @throws ClosedException if the engine was closed or the tree dropped
   */
  public void requireOpen(LsmTree tree) {
    operations.requireOpen();
    tree.requireNotDropped();
  }

  /**
   * The value of a key, or null.
   *
   * @param readLsn a registered one, {@link PointRead#LATEST_PUBLISHED}, or {@code Long.MAX_VALUE}
   *     for what was written last, published or not
   */
  public byte @Nullable [] read(LsmTree tree, byte[] key, long readLsn, ReadIntent intent) {
    OperationContext context = operations.enter();
    try {
      return read(context, tree, key, readLsn, intent);
    } finally {
      operations.exit(context);
    }
  }

  /** The value of a key that is published, and whether write memory has the key. */
  public Found find(LsmTree tree, byte[] key) {
    OperationContext context = operations.enter();
    try {
      byte[] value = read(context, tree, key, PointRead.LATEST_PUBLISHED, ReadIntent.QUERY);
      return new Found(value, readOf(context).isInMemory());
    } finally {
      operations.exit(context);
    }
  }

  private byte @Nullable [] read(
      OperationContext context, LsmTree tree, byte[] key, long readLsn, ReadIntent intent) {
    PointRead read = readOf(context);
    long address = context.workspace.putKey(key);
    if (!read.find(tree, address, key.length, readLsn, intent)) {
      // A tree that was dropped meanwhile looks empty.
      requireOpen(tree);
      return null;
    }
    try {
      byte[] value = new byte[read.valueLength()];
      read.copyValue(value, 0, value.length);
      return value;
    } finally {
      read.release();
    }
  }

  /**
   * Copies the value of a key that is published, as far as it fits, without allocating.
   *
   * @return the length of the whole value, or {@link #ABSENT}
   */
  public int copy(LsmTree tree, byte[] key, byte[] target) {
    OperationContext context = operations.enter();
    try {
      PointRead read = readOf(context);
      long address = context.workspace.putKey(key);
      if (!read.find(tree, address, key.length, PointRead.LATEST_PUBLISHED, ReadIntent.QUERY)) {
        requireOpen(tree);
        return ABSENT;
      }
      try {
        int length = read.valueLength();
        read.copyValue(target, 0, Math.min(length, target.length));
        return length;
      } finally {
        read.release();
      }
    } finally {
      operations.exit(context);
    }
  }
}
