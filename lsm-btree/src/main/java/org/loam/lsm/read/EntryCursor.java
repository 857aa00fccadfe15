package org.loam.lsm.read;

/**
 * Walks the entries of one component, or of several merged, in key order. Keys are compared as
 * unsigned bytes. One thread at a time.
 *
 * <p>A read cursor shows, of each key, the newest version at or below its read LSN, anti-matter
 * included, and goes both ways. A version cursor shows every version, newest first, and only goes
 * forward; it feeds flushes and merges. Addresses are valid until the cursor moves or is closed.
 */
public interface EntryCursor extends Entry, AutoCloseable {
  /** Moves to the first entry; false if there is none. */
  boolean first();

  /** Moves to the last entry; false if there is none. */
  boolean last();

  /** Moves to the first entry with a key at or after the given one; false if there is none. */
  boolean ceiling(long keyAddress, int keyLength);

  /** Moves to the last entry with a key before the given one; false if there is none. */
  boolean lower(long keyAddress, int keyLength);

  /** Moves on; false, and no longer at an entry, past the end. */
  boolean next();

  /** Moves back; false, and no longer at an entry, before the start. */
  boolean previous();

  @Override
  void close();
}
