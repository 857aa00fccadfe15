package org.loam.lsm.memory;

import org.loam.lsm.read.Entry;

/**
 * Makes a component from entries in the order of their keys, of equal keys the newest first: its
 * nodes are full, and it takes no more writes. One thread; readers see the component only once it
 * is {@linkplain #finish finished}.
 */
public final class RunBuilder {
  private final MemoryComponent component;

  /** The version before, in the order of entries. */
  private long last;

  /**
   * @param component an empty one that nothing else knows
   */
  public RunBuilder(MemoryComponent component) {
    this.component = component;
  }

  /**
   * Adds a copy of an entry.
   *
   * @param isNewKey whether its key is not that of the entry before
   * @return false if there is no memory for it; nothing was added then
   */
  public boolean add(Entry entry, boolean isNewKey) {
    long record = component.copyIn(entry);
    if (record == 0 || (isNewKey && !component.reserve(1))) {
      return false;
    }
    if (isNewKey) {
      component.insert(record, entry.lsn(), VersionRetention.ALL);
    } else {
      component.addOlder(last, record, entry.lsn());
    }
    last = record;
    return true;
  }

  /** Memory that it has taken. */
  public long usedBytes() {
    return component.usedBytes();
  }

  /** Whether nothing was added. */
  public boolean isEmpty() {
    return last == 0;
  }

  /** The component with all entries. */
  public MemoryComponent finish() {
    component.freeze();
    return component;
  }

  /** Gives the memory back; nothing else knows the component. */
  public void abandon() {
    component.release();
  }
}
