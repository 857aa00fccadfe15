package org.loam.lsm.read;

import java.util.Objects;
import org.loam.common.mem.Mem;

/**
 * A version of a key: what a component stores. The class that shows an entry says how long its
 * addresses are valid. One thread at a time.
 */
public interface Entry {
  /**
   * Values that are longer may be read from disk by each call of {@link #copyValue(int, int,
   * long)}: copy so much at once.
   */
  int LARGE_VALUE_BYTES = 256 << 10;

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
   * Copies part of the value, so that no caller needs room for a large value as a whole. A class
   * whose {@link #valueAddress} may be 0, or which wraps another entry, must override this method.
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
}
