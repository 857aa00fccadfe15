package org.loam.workbench.peer;

/** Loam with its defaults, but for pages of 8 KiB. */
public final class LoamStoreFactory implements StoreFactory {
  @Override
  public Store open(StoreSettings settings) {
    return new LoamStore(settings);
  }
}
