package org.loam.engine;

import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.env.NanoClock;
import org.loam.common.error.Arguments;
import org.loam.engine.host.Found;
import org.loam.engine.host.HostCursor;
import org.loam.engine.host.HostLoad;
import org.loam.engine.host.HostScan;
import org.loam.engine.host.HostTree;
import org.loam.engine.load.Load;
import org.loam.engine.open.OpenEngine;
import org.loam.lsm.LsmTree;
import org.loam.lsm.TreeScan;
import org.loam.scheduler.work.StallCause;
import org.loam.scheduler.work.StallLog;

/** A tree as a host sees it; checks what it is given as {@link Tree} does. */
final class TreeForHost implements HostTree {
  private final Tree tree;
  private final LsmTree lsm;
  private final OpenEngine open;

  TreeForHost(Tree tree, OpenEngine open) {
    this.tree = tree;
    this.lsm = tree.lsm();
    this.open = open;
  }

  @Override
  public boolean undo(byte[] key) {
    tree.requireOpen();
    if (!open.storage().log().isHosted()) {
      throw new UnsupportedOperationException(
          "undo is for engines below the log of a host; this one has its own");
    }
    tree.requireKey(key);
    return open.writes().undos().undo(lsm, key);
  }

  @Override
  public long beginFlush() {
    tree.requireOpen();
    return open.maintenance().beginFlush(lsm);
  }

  @Override
  public void awaitFlushed(long flush) {
    tree.requireOpen();
    open.maintenance().awaitFlushed(lsm, flush);
  }

  @Override
  public Runnable beginStall() {
    tree.requireOpen();
    NanoClock clock = open.storage().env().clock();
    StallLog.Stall stall =
        open.writes().stalls().begin(StallCause.HOST_FLUSH, lsm.treeId(), clock.nanoTime());
    return () -> stall.end(clock.nanoTime());
  }

  @Override
  public @Nullable HostLoad tryBulkLoad() {
    tree.requireOpen();
    Load load = open.loads().tryBegin(lsm);
    return load == null ? null : new LoadForHost(new BulkLoad(tree, load));
  }

  private record LoadForHost(BulkLoad load) implements HostLoad {
    @Override
    public void add(byte[] key, byte[] value) {
      load.add(key, value);
    }

    @Override
    public void commit() {
      load.commit();
    }

    @Override
    public void close() {
      load.close();
    }
  }

  @Override
  public Found find(byte[] key) {
    tree.requireOpen();
    tree.requireKey(key);
    long begun = open.latencies().begin();
    Found found = open.reads().reader().find(lsm, key);
    open.latencies().read(begun);
    return found;
  }

  @Override
  public HostCursor scan(HostScan range) {
    tree.requireOpen();
    Arguments.require(range, "range");
    byte[] from = range.from();
    byte[] to = range.to();
    tree.requireBound(Math.max(from == null ? 0 : from.length, to == null ? 0 : to.length));
    return open.reads()
        .scan(
            lsm,
            new TreeScan.Range(
                from, to, range.forward(), ReadIntent.QUERY, range.limit(), range.antiMatter()));
  }
}
