package org.loam.workbench.peer;

import org.loam.workbench.workload.Named;

/** The engines that can be compared. */
public enum Peer implements Named {
  LOAM("loam", "org.loam.workbench.peer.LoamStoreFactory"),
  ROCKSDB("rocksdb", "org.loam.workbench.peer.rocksdb.RocksStoreFactory"),
  ROCKSDB_BUFFERED("rocksdb-buffered", "org.loam.workbench.peer.rocksdb.BufferedRocksStoreFactory"),
  INLINE_BTREE("inline-btree", "org.loam.workbench.peer.inline.InlineStoreFactory");

  private final String id;
  private final String factoryClass;

  Peer(String id, String factoryClass) {
    this.id = id;
    this.factoryClass = factoryClass;
  }

  /** The name on the command line and in reports. */
  @Override
  public String id() {
    return id;
  }

  /** Whether the memory that it is given is in the heap; that of the others is outside of it. */
  public boolean hasMemoryInHeap() {
    return this == INLINE_BTREE;
  }

  /** Whether this build has the adapter and its library. */
  public boolean isAvailable() {
    try {
      factory();
      return true;
    } catch (UnavailableException e) {
      return false;
    }
  }

  /**
   * The adapter of this engine.
   *
   * @throws UnavailableException if this build was made without it
   */
  public StoreFactory factory() throws UnavailableException {
    try {
      return Class.forName(factoryClass)
          .asSubclass(StoreFactory.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new UnavailableException(id, e);
    }
  }

  /**
   * The peer of this name.
   *
   * @throws IllegalArgumentException with all names, if there is none
   */
  public static Peer of(String id) {
    return Named.find("peer", id, values());
  }

  /** The build lacks an optional library. */
  public static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnavailableException(String id, Throwable cause) {
      super(
          "peer '"
              + id
              + "' is not in this build; start with ./loam, or build with Maven profile 'rocksdb'",
          cause);
    }
  }
}
