package org.loam.lsm.read;

/**
 * Moves both ways through the entries of one component, in key order: of each key it shows the
 * newest version at or below its read LSN, anti-matter included. Keys are compared as unsigned
 * bytes. Addresses are valid until the cursor moves or is closed. One thread at a time.
 *
 * <p>What only goes on, such as the versions that a flush or a merge reads, is an {@link EntryWalk}
 * or has moves of its own.
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
