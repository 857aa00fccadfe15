package org.loam.workbench.peer;

/** Opens Loam with its defaults, except that pages have 8 KiB. */
public final class LoamStoreFactory implements StoreFactory {
  @Override
  public Store open(StoreSettings settings) {
    return new LoamStore(settings);
  }

  @Override
  public TableStore openTables(StoreSettings settings) {
    return new LoamTables(settings);
  }
}
