package org.loam.lsm.disk;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.loam.cache.ReadIntent;
import org.loam.common.mem.Mem;

/**
 * The answer to {@link SSTable#find}, reused from one to the next. Holds a pin on the leaf, which
 * {@link #release} ends; until then addresses are valid. One thread at a time.
 */
public final class Lookup {
  private final EntryView entry;
  private @Nullable SSTable table;
  private ReadIntent intent = ReadIntent.QUERY;
  private long fileLsn;
  private boolean watchesLeaves;
  private double usedSince;

  /**
   * @param pageBytes size of the pages of the database
   */
  public Lookup(int pageBytes) {
    this.entry = new EntryView(pageBytes);
  }

  /** From now on it says how long ago leaves were used, or it does not. */
  public void watchesLeaves(boolean isWatched) {
    watchesLeaves = isWatched;
    usedSince = -1;
  }

  /**
   * {@link org.loam.cache.BufferCache#usedSince} of the leaves that were needed, the most of them;
   * below 0 if it is not known, or not watched.
   */
  public double usedSince() {
    return usedSince;
  }

  /** A leaf is needed next. */
  void comesTo(SSTable from, int pageNo) {
    if (watchesLeaves) {
      usedSince = Math.max(usedSince, from.cache().usedSince(from.fileId(), pageNo));
    }
  }

  /** Shows entry {@code i} of a leaf, whose pin now belongs to this; fails without taking it. */
  void take(SSTable from, long leaf, int i, ReadIntent readFor) {
    entry.enter(leaf, PageType.LEAF);
    entry.at(i);
    if (entry.isOverflow()) {
      from.overflow().requireInside(entry);
    }
    fileLsn = from.meta().lsns().max();
    intent = readFor;
    table = from;
  }

  /** Whether an entry is shown, and a page pinned. */
  public boolean isFound() {
    return table != null;
  }

  /** One of {@link org.loam.common.key.EntryKind}. */
  public byte kind() {
    found();
    return entry.kind();
  }

  /** The entry's LSN; the largest of the file, if it did not keep LSNs. */
  public long lsn() {
    found();
    return entry.hasLsn() ? entry.lsn() : fileLsn;
  }

  public int valueLength() {
    found();
    return entry.valueLength();
  }

  /** The address of the value, or 0 if it does not lie in one piece in memory. */
  public long valueAddress() {
    found();
    return entry.isOverflow() ? 0 : entry.value();
  }

  /** Copies the whole value, reading it if it is not in memory. */
  public void copyValue(long target) {
    SSTable from = found();
    int length = entry.valueLength();
    if (entry.isOverflow()) {
      from.overflow().copy(entry, 0, length, target, intent);
    } else if (length > 0) {
      Mem.copy(entry.value(), target, length);
    }
  }

  /** Copies part of the value, {@code length} bytes from {@code offset} on. */
  public void copyValue(int offset, int length, long target) {
    SSTable from = found();
    Objects.checkFromIndexSize(offset, length, entry.valueLength());
    if (entry.isOverflow()) {
      from.overflow().copy(entry, offset, length, target, intent);
    } else if (length > 0) {
      Mem.copy(entry.value() + offset, target, length);
    }
  }

  /** Ends the pin; does nothing if there is none. */
  public void release() {
    SSTable from = table;
    if (from != null) {
      table = null;
      from.cache().unpin(entry.page());
    }
  }

  private SSTable found() {
    SSTable from = table;
    if (from == null) {
      throw new IllegalStateException("nothing was found, or it was released");
    }
    return from;
  }
}
