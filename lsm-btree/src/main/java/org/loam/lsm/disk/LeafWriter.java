package org.loam.lsm.disk;

import org.loam.cache.PageHeader;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.Entry;

/**
 * Writes the leaves of a table, one after the other, and large values into pages of their own that
 * follow their leaf. One thread.
 */
final class LeafWriter {
  private final SSTableOptions options;
  private final int pageBytes;
  private final PageOutput output;
  private final PageBuilder builder;
  private final FileFacts facts;

  /** The leaf that takes entries now, 0 if none does. */
  private long leaf;

  private int flags;
  private boolean isWarm;
  private boolean anyIsWarm;

  /**
   * @param facts counts the pages
   */
  LeafWriter(SSTableOptions options, PageOutput output, PageBuilder builder, FileFacts facts) {
    this.options = options;
    this.pageBytes = options.pageBytes();
    this.output = output;
    this.builder = builder;
    this.facts = facts;
  }

  /** Refuses an entry that cannot be stored. */
  void requireStorable(int keyLength, byte kind, long lsn, int valueLength) {
    if (keyLength < 0 || keyLength > SSTableOptions.maxKeyBytes(pageBytes)) {
      throw new IllegalArgumentException(
          "key of "
              + keyLength
              + " bytes, must be at most a quarter of a page, "
              + SSTableOptions.maxKeyBytes(pageBytes));
    }
    if (kind != EntryKind.PUT && kind != EntryKind.ANTI_MATTER) {
      throw new IllegalArgumentException(
          "entry kind " + kind + ": format version 1 stores only puts and anti-matter");
    }
    if (valueLength < 0 || (kind == EntryKind.ANTI_MATTER && valueLength > 0)) {
      throw new IllegalArgumentException("entry kind " + kind + ", value length " + valueLength);
    }
    if (lsn < 0) {
      throw new IllegalArgumentException("LSN is " + lsn + ", must be at least 0");
    }
  }

  /** The meta byte of an entry. */
  int meta(byte kind, boolean older, int valueLength) {
    return kind
        | (options.keepLsns() ? KeyedPage.HAS_LSN : 0)
        | (older ? KeyedPage.OLDER_VERSION : 0)
        | (valueLength <= SSTableOptions.maxInlineBytes(pageBytes) ? 0 : KeyedPage.OVERFLOW);
  }

  private static boolean isInline(int meta) {
    return (meta & KeyedPage.OVERFLOW) == 0;
  }

  private static int bytesInLeaf(int meta, int valueLength) {
    return isInline(meta) ? valueLength : KeyedPage.OVERFLOW_BYTES;
  }

  /** Whether there is a leaf that takes entries. */
  boolean isOpen() {
    return leaf != 0;
  }

  /** Begins a leaf; the number of its page. */
  int begin() {
    leaf = output.open();
    flags = 0;
    isWarm = false;
    builder.begin(leaf);
    return output.pageNoOf(leaf);
  }

  /** Whether the leaf has room for one more entry; see {@link PageBuilder#fits}. */
  boolean fits(int keyLength, int common, int meta, long lsn, int valueLength) {
    return builder.fits(keyLength, common, meta, lsn, bytesInLeaf(meta, valueLength));
  }

  /**
   * Adds an entry that {@link #fits}, or is the first, without its value.
   *
   * @return the address for {@link #putValue}
   */
  long add(long key, int keyLength, int common, int meta, long lsn, int valueLength) {
    return builder.add(key, keyLength, common, meta, lsn, bytesInLeaf(meta, valueLength));
  }

  /** Puts the value of the entry that was added last to its place. */
  void putValue(Entry at, long place, int meta, long lsn, int valueLength) {
    isWarm |= at.isWarm();
    if (!isInline(meta)) {
      addOverflow(at, place, valueLength, lsn);
    } else if (valueLength > 0) {
      at.copyValue(place);
    }
  }

  /** Writes a value into pages of its own, which follow the leaf in the order of its entries. */
  private void addOverflow(Entry at, long pointer, int valueLength, long lsn) {
    Mem.putInt(pointer, output.nextPageNo());
    Mem.putInt(pointer + 4, valueLength);
    flags = KeyedPage.HAS_OVERFLOW;
    int payload = pageBytes - PageHeader.BYTES;
    if ((valueLength + payload - 1) / payload > output.freePages()) {
      // The buffer will be written before the value ends, so the leaf must be complete.
      finish();
    }
    output.setWarm(at.isWarm());
    for (int done = 0; done < valueLength; done += payload) {
      int some = Math.min(payload, valueLength - done);
      long page = output.open();
      at.copyValue(done, some, page + PageHeader.BYTES);
      if (some < payload) {
        Mem.fill(page + PageHeader.BYTES + some, payload - some, (byte) 0);
      }
      PageHeader.start(page, PageType.OVERFLOW);
      PageHeader.setFreeBytes(page, payload - some);
      PageHeader.setMaxLsn(page, lsn);
      output.seal(page);
      facts.overflowPages++;
    }
  }

  /** Ends the leaf. */
  void finish() {
    builder.finish(PageType.LEAF, flags);
    output.setWarm(isWarm);
    output.seal(leaf);
    anyIsWarm |= isWarm;
    leaf = 0;
    facts.leafPages++;
  }

  /** Whether readers want an entry of any leaf that was ended. */
  boolean isAnyWarm() {
    return anyIsWarm;
  }
}
