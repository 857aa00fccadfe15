package org.loam.engine;

import org.jspecify.annotations.Nullable;
import org.loam.common.error.Arguments;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.read.Moment;

/** The state of all trees at one moment. Thread-safe. Close it, or old versions are kept for it. */
public final class Snapshot implements AutoCloseable {
  private final OpenEngine open;
  private final Moment moment;

  Snapshot(OpenEngine open) {
    this.open = open;
    this.moment = open.reads().moment();
  }

  /** The value a key had, or null. */
  public byte @Nullable [] get(Tree tree, byte[] key) {
    require(tree);
    tree.requireKey(key);
    return moment.read(tree.lsm(), key);
  }

  /** A cursor over the entries that there were. It stays usable when the snapshot is closed. */
  public Cursor scan(Tree tree, ScanOptions options) {
    require(tree);
    tree.requireBounds(options);
    return new Cursor(moment.scan(tree.lsm(), options.range()));
  }

  private void require(Tree tree) {
    if (Arguments.require(tree, "tree").open() != open) {
      throw new IllegalArgumentException(tree + " is of another engine than the snapshot");
    }
    tree.requireOpen();
  }

  /** Lets its versions go. Closing twice is harmless. */
  @Override
  public void close() {
    moment.close();
  }
}
