package org.loam.workbench.peer.rocksdb;

import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.TableStore;

/** RocksDB with direct reads, flushes and compactions: all its memory is what it was given. */
public final class RocksStoreFactory implements StoreFactory {
  @Override
  public Store open(StoreSettings settings) {
    return new RocksStore(settings, true);
  }

  @Override
  public TableStore openTables(StoreSettings settings) {
    return new RocksTables(settings, true);
  }
}
