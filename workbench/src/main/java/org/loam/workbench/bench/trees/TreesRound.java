package org.loam.workbench.bench.trees;

import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.WorkDirectory;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.workload.Keys;
import org.loam.workbench.workload.Values;

/** One round: makes the trees, flushes a record of each, closes with a newer one, opens again. */
final class TreesRound {
  private static final int FLUSHED = 1;
  private static final int CLOSED = 2;

  private final String engine;
  private final StoreFactory factory;
  private final StoreSettings settings;
  private final Values values;
  private final byte[] key = Keys.newBuffer();
  private final byte[] value;

  TreesRound(String engine, StoreFactory factory, StoreSettings settings) {
    this.engine = engine;
    this.factory = factory;
    this.settings = settings;
    this.values = new Values(settings.maxValueBytes());
    this.value = new byte[settings.maxValueBytes()];
  }

  /**
   * Runs it in a new directory, which it removes.
   *
   * @throws CommandException if a tree does not have the record that was put last
   */
  TreesRow run() {
    double create;
    double flush;
    long began = System.nanoTime();
    try (Store store = factory.open(settings)) {
      create = secondsSince(began);
      putAll(store, FLUSHED);
      began = System.nanoTime();
      store.flush();
      flush = secondsSince(began);
      putAll(store, CLOSED);
      began = System.nanoTime();
    }
    double close = secondsSince(began);
    began = System.nanoTime();
    double open;
    try (Store store = factory.open(settings)) {
      open = secondsSince(began);
      checkAll(store);
    }
    WorkDirectory.delete(settings.directory());
    return new TreesRow(engine, create, flush, close, open);
  }

  private static double secondsSince(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  private void putAll(Store store, int version) {
    for (int tree = 0; tree < settings.trees(); tree++) {
      long identity = Keys.identity(tree);
      Keys.write(identity, key);
      values.write(identity, version, value);
      try (Store.Session session = store.session(tree)) {
        session.put(key, value);
      }
    }
  }

  private void checkAll(Store store) {
    for (int tree = 0; tree < settings.trees(); tree++) {
      long identity = Keys.identity(tree);
      Keys.write(identity, key);
      try (Store.Session session = store.session(tree)) {
        int length = session.get(key, value);
        if (!values.isRight(identity, value, length) || Values.version(value) != CLOSED) {
          throw CommandException.failed(engine + ": tree " + tree + " lost what was put last");
        }
      }
    }
  }
}
