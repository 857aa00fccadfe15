package org.loam.lsm.read;

/**
 * Goes through entries in one order, ascending or descending, and never back. Begins before its
 * first entry, unless it says otherwise. Addresses are valid until the walk moves or is closed. One
 * thread at a time.
 */
public interface EntryWalk extends AutoCloseable {
  /** Moves on; false, and no longer at an entry, past the end. */
  boolean next();

  /** Whether the walk is at an entry. */
  boolean isAtEntry();

  /** The whole key of the entry. */
  long keyAddress();

  int keyLength();

  @Override
  void close();
}
