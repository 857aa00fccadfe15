package org.loam.workbench.peer;

/** Opens a store; implementations have a public constructor without arguments. */
public interface StoreFactory {
  /** Opens the store in its directory, or creates it there. */
  Store open(StoreSettings settings);
}
