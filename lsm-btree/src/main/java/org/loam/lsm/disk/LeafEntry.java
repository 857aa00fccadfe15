package org.loam.lsm.disk;

import org.loam.lsm.read.Entry;

/** What cursors over the leaves of a table have in common: the entry that they are at. */
abstract class LeafEntry implements Entry, AutoCloseable {
  final EntryView entry;

  /** Of the table, and of each of its entries if they have none of their own. */
  private final long maxLsn;

  /** The key of the entry, put together. */
  KeyBuffer key;

  /** The page of the entry; 0 when at none. */
  long leaf;

  LeafEntry(EntryView entry, KeyBuffer key, long maxLsn) {
    this.entry = entry;
    this.key = key;
    this.maxLsn = maxLsn;
  }

  final void requireEntry() {
    if (leaf == 0) {
      throw new IllegalStateException("the cursor is not at an entry");
    }
  }

  @Override
  public final long keyAddress() {
    requireEntry();
    return key.address();
  }

  @Override
  public final int keyLength() {
    requireEntry();
    return key.length();
  }

  @Override
  public final long lsn() {
    requireEntry();
    return entry.hasLsn() ? entry.lsn() : maxLsn;
  }

  @Override
  public final byte kind() {
    requireEntry();
    return entry.kind();
  }

  @Override
  public final int valueLength() {
    requireEntry();
    return entry.valueLength();
  }

  @Override
  public final long valueAddress() {
    requireEntry();
    return entry.isOverflow() ? 0 : entry.value();
  }

  @Override
  public void close() {
    key.close();
  }
}
