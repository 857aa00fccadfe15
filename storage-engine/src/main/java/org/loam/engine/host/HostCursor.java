package org.loam.engine.host;

/**
 * Walks a range of a tree as it was at one moment, and says of each entry whether write memory had
 * it. One thread at a time. Begins before the first entry.
 */
public interface HostCursor extends AutoCloseable {
  /**
   * Moves to the next entry in the scan's order.
   *
   * @return false past the end
   * @throws org.loam.common.error.ClosedException if cursor, tree or engine was closed
   */
  boolean next();

  /**
   * Whether the entry was in write memory when the cursor fetched it. If not, it is from an
   * SSTable, and write memory had nothing of its key that the cursor may show. So a host that lets
   * nothing be flushed before it is committed knows of such an entry that it is.
   */
  boolean isInMemory();

  /**
   * Whether there is no entry but the delete of one, in write memory; its value is empty. Only with
   * {@link HostScan#withAntiMatter}.
   */
  boolean isAntiMatter();

  /** A copy of the key. */
  byte[] key();

  /** A copy of the value. */
  byte[] value();

  /** Bytes of the key. */
  int keyLength();

  /**
   * The array in which the cursor has the key, for callers that need no copy: {@link #keyLength}
   * bytes from {@link #keyOffset} on, not to be changed. They stay as long as those of {@link
   * #valueArray}.
   */
  byte[] keyArray();

  /** Where the key begins in {@link #keyArray}. */
  int keyOffset();

  /** Bytes of the value. */
  int valueLength();

  /**
   * The array in which the cursor has the value, for callers that need no copy: {@link
   * #valueLength} bytes from {@link #valueOffset} on, not to be changed. They stay until the next
   * call of {@link #next} or {@link #close}; then the array may get an entry of any cursor.
   */
  byte[] valueArray();

  /** Where the value begins in {@link #valueArray}. */
  int valueOffset();

  /** Ends the scan. Closing twice is harmless. */
  @Override
  void close();
}
