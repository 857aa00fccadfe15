package org.loam.engine.host;

/**
 * A load of a tree that is empty, past write memory: what {@code BulkLoad} is for all programs,
 * with its rules and its faults. One thread at a time.
 */
public interface HostLoad extends AutoCloseable {
  /** Adds an entry, whose key is above the one before. */
  void add(byte[] key, byte[] value);

  /** Makes what was added the content of the tree, durable at once: a host logs no redo of it. */
  void commit();

  /** Deletes what was not committed. Closing twice, or after {@link #commit}, is harmless. */
  @Override
  void close();
}
