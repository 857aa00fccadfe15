package org.loam.lsm.read;

import java.util.Objects;
import org.loam.common.mem.Mem;

/**
 * Walks the entries of one component, or of several merged, in key order. Keys are compared as
 * unsigned bytes. One thread at a time.
 *
 * <p>A read cursor shows, of each key, the newest version at or below its read LSN, anti-matter
 * included, and goes both ways. A version cursor shows every version, newest first, and only goes
 * forward; it feeds flushes and merges. Addresses are valid until the cursor moves or is closed.
 */
public interface EntryCursor extends AutoCloseable {
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

  /** The whole key. */
  long keyAddress();

  int keyLength();

  /** The entry's LSN; for a component that did not keep LSNs, the component's largest. */
  long lsn();

  /** One of {@link org.loam.common.key.EntryKind}. */
  byte kind();

  int valueLength();

  /** Copies the whole value, reading it if it is not in memory. */
  default void copyValue(long target) {
    copyValue(0, valueLength(), target);
  }

  /** The address of the value, or 0 if it does not lie in one piece in memory. */
  long valueAddress();

  /**
   * Copies part of the value, so that nobody has to make room for the whole of a large one. A
   * cursor whose {@link #valueAddress} may be 0, or which stands before another cursor, must have
   * its own.
   *
   * @param offset first byte, within the value like all {@code length} bytes
   */
  default void copyValue(int offset, int length, long target) {
    Objects.checkFromIndexSize(offset, length, valueLength());
    long address = valueAddress();
    if (address == 0) {
      throw new AssertionError(getClass() + " must copy parts of a value that is not in memory");
    }
    if (length > 0) {
      Mem.copy(address + offset, target, length);
    }
  }

  /**
   * Whether readers want the entry, so that a page it is written to should be in the cache at once.
   */
  default boolean isWarm() {
    return false;
  }

  @Override
  void close();
}
