package org.loam.lsm;

import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/**
 * The entries of memory components that a scan sees. Some of them at a time are copied inside the
 * memory epoch, so that the scan can do I/O outside of it: key and value into the batch, where a
 * row refers to them without another copy, and the key once more to where it can be compared. A
 * large value is copied only when its entry becomes a row: a scan may pass many batches before.
 */
final class MemoryInput implements ScanInput {
  /** Bytes before a key: key length, value length, offset in the batch, kind. */
  private static final int HEADER_BYTES = 16;

  /** A larger value is not copied before it is needed; more than a usual batch has. */
  static final int LATE_BYTES = 256 << 10;

  /** In the place of the offset of an entry that is not in the batch yet. */
  private static final int LATE = -1;

  private final MemoryChain components;
  private final ScanProgress scan;
  private final ScanBatch batch;
  private final Source source;

  /** Memory for headers and keys, and memory of its own for a key that does not fit there. */
  private final long scratch;

  private final int scratchBytes;
  private long ownMemory;

  private int copied;
  private int index;
  private boolean more;

  /** The copied entry at the index. */
  private long at;

  /**
   * An input with nothing copied.
   *
   * @param scratch memory that is used until this is closed
   */
  MemoryInput(
      MemoryChain components, ScanProgress scan, ScanBatch batch, Scratch scratch, Source source) {
    this.components = components;
    this.scan = scan;
    this.batch = batch;
    this.scratch = scratch.address();
    this.scratchBytes = scratch.bytes();
    this.source = source;
  }

  /** Memory that is lent. */
  record Scratch(long address, int bytes) {}

  /**
   * Brings what was not copied, unless the tree has another version by now or the batch is to end.
   */
  interface Source {
    /** The components have more entries: calls {@link #copyMore}, or returns false. */
    boolean more(MemoryInput input);

    /** A large value is needed: calls {@link #copyLate}, or returns false. */
    boolean late(MemoryInput input);
  }

  MemoryChain components() {
    return components;
  }

  /** Copies the first entries in the direction of the scan. Inside the memory epoch. */
  void copyFirst(int limitBytes, long limitEntries) {
    try (EntryCursor cursor = components.cursor(scan.readLsn())) {
      boolean found = scan.range().forward() ? cursor.first() : cursor.last();
      copy(cursor, found, limitBytes, limitEntries);
    }
  }

  /**
   * Copies the first entries from a key on. Inside the memory epoch.
   *
   * @param isShown whether the key itself was shown before
   */
  void copyFrom(long key, int keyLength, boolean isShown, int limitBytes, long limitEntries) {
    boolean forward = scan.range().forward();
    try (EntryCursor cursor = components.cursor(scan.readLsn())) {
      boolean found = forward ? cursor.ceiling(key, keyLength) : cursor.lower(key, keyLength);
      if (found && isShown && hasKey(cursor, key, keyLength)) {
        found = cursor.next();
      }
      copy(cursor, found, limitBytes, limitEntries);
    }
  }

  /** Copies the entries behind those that were copied. Inside the memory epoch. */
  void copyMore(int limitBytes, long limitEntries) {
    copyFrom(keyAddress(), keyLength(), true, limitBytes, limitEntries);
  }

  /**
   * Copies the entry, whose value was too large to be copied early. Inside the memory epoch.
   *
   * @return false if the entry has been taken back since
   */
  boolean copyLate() {
    try (EntryCursor cursor = components.cursor(scan.readLsn())) {
      boolean found = cursor.ceiling(keyAddress(), keyLength());
      if (!found
          || !hasKey(cursor, keyAddress(), keyLength())
          || cursor.kind() != kind()
          || cursor.valueLength() != valueLength()) {
        return false;
      }
      Mem.putInt(at + 8, batch.copyIn(cursor));
      return true;
    }
  }

  private static boolean hasKey(EntryCursor cursor, long key, int keyLength) {
    return Mem.compare(cursor.keyAddress(), cursor.keyLength(), key, keyLength) == 0;
  }

  private void copy(EntryCursor cursor, boolean found, int limitBytes, long limitEntries) {
    boolean forward = scan.range().forward();
    boolean valid = found;
    long to = scratch;
    long end = scratch + scratchBytes;
    int bytes = 0;
    copied = 0;
    // The first entry always goes, so that a scan goes on.
    while (valid && (copied == 0 || (copied < limitEntries && bytes < limitBytes))) {
      int keyLength = cursor.keyLength();
      int size = sizeBytes(keyLength);
      if (size > end - to) {
        if (copied > 0) {
          break;
        }
        to = newOwnMemory(size);
        end = to + size;
      }
      at = copied == 0 ? to : at;
      Mem.putInt(to, keyLength);
      Mem.putInt(to + 4, cursor.valueLength());
      boolean late = cursor.valueLength() > LATE_BYTES;
      Mem.putInt(to + 8, late ? LATE : batch.copyIn(cursor));
      Mem.putInt(to + 12, cursor.kind());
      Mem.copy(cursor.keyAddress(), to + HEADER_BYTES, keyLength);
      bytes += keyLength + (late ? 0 : cursor.valueLength());
      to += size;
      copied++;
      valid = forward ? cursor.next() : cursor.previous();
    }
    more = valid;
    index = 0;
  }

  private long newOwnMemory(int bytes) {
    freeOwnMemory();
    ownMemory = Mem.allocate(bytes, Long.BYTES);
    return ownMemory;
  }

  private void freeOwnMemory() {
    if (ownMemory != 0) {
      Mem.free(ownMemory);
      ownMemory = 0;
    }
  }

  private static int sizeBytes(int keyLength) {
    return (HEADER_BYTES + keyLength + 7) & -8;
  }

  /** How many entries were copied at once, the last time. */
  int copied() {
    return copied;
  }

  @Override
  public boolean next() {
    if (index + 1 < copied) {
      index++;
      at += sizeBytes(keyLength());
      return true;
    }
    if (more && source.more(this)) {
      return copied > 0;
    }
    index = copied;
    return false;
  }

  @Override
  public boolean isAtEntry() {
    return index < copied;
  }

  @Override
  public long keyAddress() {
    return at + HEADER_BYTES;
  }

  @Override
  public int keyLength() {
    return Mem.getInt(at);
  }

  private int valueLength() {
    return Mem.getInt(at + 4);
  }

  @Override
  public byte kind() {
    return (byte) Mem.getInt(at + 12);
  }

  @Override
  public boolean isInMemory() {
    return true;
  }

  @Override
  public void addTo(ScanBatch rows) {
    // If it cannot be copied the batch ends before it, and the next one begins with it.
    if (Mem.getInt(at + 8) != LATE || source.late(this)) {
      rows.addCopied(Mem.getInt(at + 8), Mem.getInt(at), valueLength(), kind());
    }
  }

  @Override
  public void close() {
    freeOwnMemory();
  }
}
