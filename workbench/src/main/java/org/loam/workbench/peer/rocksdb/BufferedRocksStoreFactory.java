package org.loam.workbench.peer.rocksdb;

import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreFactory;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.TableStore;

/** RocksDB with buffered files: the page cache of the machine comes on top of its memory. */
public final class BufferedRocksStoreFactory implements StoreFactory {
  @Override
  public Store open(StoreSettings settings) {
    return new RocksStore(settings, false);
  }

  @Override
  public TableStore openTables(StoreSettings settings) {
    return new RocksTables(settings, false);
  }
}
