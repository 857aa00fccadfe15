package org.loam.workbench.peer;

/**
 * An ordered key-value store under test, open in one directory. Thread-safe; each thread works
 * through a {@link Session} of its own. Every failure is an unchecked exception and ends the
 * benchmark.
 */
public interface Store extends Measured, AutoCloseable {
  /** What {@link Session#get} returns for a key that does not exist. */
  int ABSENT = -1;

  /** Opens the view of one thread; it may hold buffers and is not thread-safe. */
  Session session();

  /**
   * Opens the view of one thread on one tree.
   *
   * @param tree from 0, below {@link StoreSettings#trees}
   */
  default Session session(int tree) {
    if (tree != 0) {
      throw new IllegalArgumentException("tree = " + tree + ", rule: 0, this store has one tree");
    }
    return session();
  }

  /**
   * Checks what no operation shows, such as indexes.
   *
   * @throws IllegalStateException with what is wrong
   */
  default void verify() {
    // There is nothing like that in most stores.
  }

  /**
   * Changes a setting while the store is open.
   *
   * @return what it was
   * @throws IllegalArgumentException if there is no such setting, or the value is not allowed
   */
  default String configure(String name, String value) {
    throw new IllegalArgumentException(
        name + ", rule: no setting, this store has none that can change");
  }

  @Override
  void close();

  /** The operations of one thread. */
  interface Session extends AutoCloseable {
    /** Returns when the write has the durability that the store was opened with. */
    void put(byte[] key, byte[] value);

    /**
     * Reads a value into the target.
     *
     * @param target at least as long as the longest value
     * @return the length of the value, or {@link Store#ABSENT}
     */
    int get(byte[] key, byte[] target);

    /**
     * Shows records in ascending key order, beginning at the first key not below {@code from}.
     *
     * @return how many records were shown; fewer than the limit only at the end of the store
     */
    int scan(byte[] from, int limit, RecordSink sink);

    @Override
    void close();
  }

  /** Takes the records of a scan; the arrays are the session's and valid during the call only. */
  interface RecordSink {
    void record(byte[] key, int keyLength, byte[] value, int valueLength);
  }
}
