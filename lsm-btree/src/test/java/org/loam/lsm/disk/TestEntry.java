package org.loam.lsm.disk;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import org.loam.common.key.EntryKind;

/** An entry on the heap, in the order of a file: keys ascending, of one key the newest first. */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode look into the arrays.
record TestEntry(byte[] key, byte kind, long lsn, byte[] value) implements Comparable<TestEntry> {
  private static final Comparator<TestEntry> ORDER =
      Comparator.comparing(TestEntry::key, Arrays::compareUnsigned)
          .thenComparing(TestEntry::lsn, Comparator.reverseOrder());

  static TestEntry put(byte[] key, long lsn, byte[] value) {
    return new TestEntry(key, EntryKind.PUT, lsn, value);
  }

  static TestEntry antiMatter(byte[] key, long lsn) {
    return new TestEntry(key, EntryKind.ANTI_MATTER, lsn, new byte[0]);
  }

  TestEntry withLsn(long other) {
    return new TestEntry(key, kind, other, value);
  }

  @Override
  public int compareTo(TestEntry other) {
    return ORDER.compare(this, other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TestEntry e
        && Arrays.equals(key, e.key)
        && kind == e.kind
        && lsn == e.lsn
        && Arrays.equals(value, e.value);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key) * 31 + Long.hashCode(lsn);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    String shownKey = key.length > 40 ? hex.formatHex(key, 0, 40) + ".." : hex.formatHex(key);
    return shownKey
        + "@"
        + lsn
        + " kind "
        + kind
        + ", "
        + value.length
        + " bytes #"
        + Arrays.hashCode(value);
  }
}
