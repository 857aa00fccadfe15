package org.loam.workbench.peer;

/** Opens a store; implementations have a public constructor without arguments. */
public interface StoreFactory {
  /** Opens the store in its directory, or creates it there. */
  Store open(StoreSettings settings);

  /**
   * Opens the tables in a directory, or creates them there.
   *
   * @throws UnsupportedOperationException if the engine has no batches over several trees
   */
  default TableStore openTables(StoreSettings settings) {
    throw new UnsupportedOperationException("this engine has no tables");
  }
}
