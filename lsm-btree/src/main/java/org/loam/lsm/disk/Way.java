package org.loam.lsm.disk;

/**
 * How far the cursors of a scan, over several tables, go together: at most to the end of the range,
 * and in this batch about as far as the cursor that shows most of the entries. This cursor finds in
 * its index the key where its leaves of the batch end, and leads the others to it: they have few
 * entries in between, and not everywhere equally many. One thread.
 */
public final class Way {
  /** Memory for the key to which the leader leads; a longer key is cut. */
  public static final int LEAD_BYTES = 256;

  private final long end;
  private final int endLength;
  private final long lead;
  private int leadLength;

  /** Memory that is left for keys that the cursors assemble. */
  private long keyMemory;

  private long keyMemoryBytes;

  /**
   * A way that no cursor leads yet.
   *
   * @param end address of the key that bounds it, 0 if there is none: forward the first that is not
   *     wanted, backward the last that is; it stays readable as long as the cursors are used
   * @param endLength length of that key in bytes
   * @param lead address of {@link #LEAD_BYTES} bytes, readable and writable for as long; 0 if
   *     no cursor may lead
   */
  public Way(long end, int endLength, long lead) {
    this.end = end;
    this.endLength = endLength;
    this.lead = lead;
  }

  /**
   * Lends the cursors memory for keys that they assemble from prefix and suffix. Without it, or when
   * it is used up, each cursor allocates its own.
   *
   * @param address aligned to 8, readable and writable as long as the cursors are used
   */
  public void lendKeyMemory(long address, int bytes) {
    keyMemory = address;
    keyMemoryBytes = bytes;
  }

  /** Takes memory for a key; 0 if there is too little left. */
  long takeKeyBytes(int bytes) {
    int aligned = Math.max(Long.BYTES, (bytes + 7) & -8);
    if (aligned > keyMemoryBytes) {
      return 0;
    }
    long taken = keyMemory;
    keyMemory += aligned;
    keyMemoryBytes -= aligned;
    return taken;
  }

  long end() {
    return end;
  }

  int endLength() {
    return endLength;
  }

  /** Whether a cursor has led; none leads to the empty key. */
  boolean isLed() {
    return leadLength > 0;
  }

  long lead() {
    return lead;
  }

  int leadLength() {
    return leadLength;
  }

  /** Leads the other cursors to the key of an entry. */
  void leadTo(EntryView entry) {
    int prefix = Math.min(entry.prefixLength(), LEAD_BYTES);
    int suffix = Math.min(entry.suffixLength(), LEAD_BYTES - prefix);
    KeyBytes.copy(entry.prefix(), lead, prefix);
    KeyBytes.copy(entry.suffix(), lead + prefix, suffix);
    leadLength = prefix + suffix;
  }
}
