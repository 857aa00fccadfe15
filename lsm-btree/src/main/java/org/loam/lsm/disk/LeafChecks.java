package org.loam.lsm.disk;

import java.util.Arrays;
import java.util.function.Consumer;
import org.loam.cache.PageHeader;
import org.loam.common.codec.Hash64;
import org.loam.common.error.CorruptionException;
import org.loam.common.key.EntryKind;
import org.loam.common.key.Heads;
import org.loam.common.mem.Mem;

/** Checks the entries of all leaves of a file, which pass in order. One thread. */
final class LeafChecks implements AutoCloseable {
  private static final int KNOWN_META =
      KeyedPage.KIND_MASK | KeyedPage.HAS_LSN | KeyedPage.OLDER_VERSION | KeyedPage.OVERFLOW;

  private final SSTable table;
  private final Footer footer;
  private final Consumer<String> problems;
  private final int pageBytes;
  private final EntryView entry;
  private final KeyBuffer key;
  private final IndexPath path;

  /** The key of the entry before, its length or -1 if it is unknown, and its LSN. */
  private final long lastKey;

  private int lastLength = -1;
  private long lastLsn;
  private boolean skipping;

  /** Where the checks are, for messages. */
  private int pageNo;

  private int index;

  /** Pages of the filter, 0 to leave them out. */
  private long filter;

  private boolean indexFailed;
  private byte[] firstKey = {};
  private long entryCount;
  private long keyCount;
  private long antiMatterCount;
  private long minLsn = Long.MAX_VALUE;
  private long maxLsn;
  private int maxKeyLength;

  LeafChecks(SSTable table, Consumer<String> problems) {
    this.table = table;
    this.footer = table.footer();
    this.problems = problems;
    this.pageBytes = table.cache().pageBytes();
    this.entry = new EntryView(pageBytes);
    this.key = new KeyBuffer(footer.maxKeyLength);
    this.path = new IndexPath(table);
    this.lastKey = Mem.allocate(Math.max(1, footer.maxKeyLength), Long.BYTES);
  }

  /** From now on also checks that the filter, whose pages lie at an address, has the keys. */
  void probe(long filterPages) {
    filter = filterPages;
  }

  /** Says that a page could not be read, so that order across it cannot be checked. */
  void skip() {
    lastLength = -1;
    skipping = true;
  }

  /** Whether the last leaf could not be read, or not wholly. */
  boolean isSkipping() {
    return skipping;
  }

  long entryCount() {
    return entryCount;
  }

  /**
   * Checks a leaf.
   *
   * @return the number of overflow pages that must follow it
   */
  int check(long page, int number) {
    pageNo = number;
    index = 0;
    skipping = false;
    entry.enter(page, PageType.LEAF);
    key.enter(entry);
    int nextPage = pageNo + 1;
    for (; index < entry.count(); index++) {
      entry.at(index);
      key.show(entry);
      checkParts();
      checkOrder();
      checkFilter();
      if (entry.isOverflow()) {
        nextPage = checkPointer(nextPage);
      }
      if (index == 0 || index == entry.count() - 1) {
        checkRoute();
      }
      count();
    }
    return nextPage - pageNo - 1;
  }

  private long lsn() {
    return entry.hasLsn() ? entry.lsn() : footer.maxLsn;
  }

  private void checkParts() {
    long head = Heads.of(key.address(), key.length(), entry.prefixLength());
    if (Mem.getLong(KeyedPage.heads(entry.page()) + (long) index * Long.BYTES) != head) {
      fault("the head is not that of the key");
    }
    if ((entry.meta() & ~KNOWN_META & 0xff) != 0
        || (entry.kind() != EntryKind.PUT && entry.kind() != EntryKind.ANTI_MATTER)) {
      fault("meta byte " + entry.meta());
    }
    if (entry.hasLsn() != footer.keepsLsns) {
      fault("it has an LSN: " + entry.hasLsn() + ", but the file: " + footer.keepsLsns);
    }
    if (entry.hasLsn() && lsn() > PageHeader.maxLsn(entry.page())) {
      fault("LSN " + lsn() + ", the largest of the page is " + PageHeader.maxLsn(entry.page()));
    }
  }

  private void checkOrder() {
    if (lastLength < 0) {
      return;
    }
    int order = Mem.compare(lastKey, lastLength, key.address(), key.length());
    if (order > 0) {
      fault("its key is before that of the entry before");
    }
    if (entry.isOlderVersion() != (order == 0)) {
      fault("it is marked as an older version of its key: " + entry.isOlderVersion());
    }
    if (order == 0 && lastLsn <= lsn()) {
      fault("LSN " + lsn() + " after " + lastLsn);
    }
  }

  private void checkFilter() {
    if (filter == 0) {
      return;
    }
    long hash = Hash64.of(key.address(), key.length());
    int pages = footer.filterPages;
    long page = filter + (long) FilterBlock.pageOf(hash, pages) * pageBytes;
    long block = page + FilterBlock.offsetOf(hash, pages, FilterBlock.blocksPerPage(pageBytes));
    if (!FilterBlock.mightContain(block, hash, footer.filterProbes)) {
      fault("the filter does not have its key");
    }
  }

  private int checkPointer(int expectedPage) {
    table.overflow().requireInside(entry);
    if (entry.firstOverflowPage() != expectedPage) {
      fault("value in page " + entry.firstOverflowPage() + ", expected " + expectedPage);
    }
    return table.overflow().pageOf(entry.firstOverflowPage(), entry.valueLength() - 1) + 1;
  }

  private void checkRoute() {
    if (indexFailed) {
      return;
    }
    try {
      int found = path.to(key.address(), key.length(), lsn());
      if (found != pageNo) {
        fault("the index leads to page " + found);
      }
    } catch (CorruptionException e) {
      // The index pages are reported for themselves.
      indexFailed = true;
      problems.accept("the index cannot be followed: " + e.getMessage());
    }
  }

  private void count() {
    if (entryCount == 0) {
      firstKey = KeyBytes.toArray(key.address(), key.length());
    }
    entryCount++;
    keyCount += entry.isOlderVersion() ? 0 : 1;
    antiMatterCount += entry.kind() == EntryKind.ANTI_MATTER ? 1 : 0;
    minLsn = Math.min(minLsn, lsn());
    maxLsn = Math.max(maxLsn, lsn());
    maxKeyLength = Math.max(maxKeyLength, key.length());
    KeyBytes.copy(key.address(), lastKey, key.length());
    lastLength = key.length();
    lastLsn = lsn();
  }

  /** Compares what passed with what the footer says. */
  void compareTotals() {
    compare("entries", entryCount, footer.entryCount);
    compare("keys", keyCount, footer.keyCount);
    compare("anti-matter entries", antiMatterCount, footer.antiMatterCount);
    compare("bytes of the longest key", maxKeyLength, footer.maxKeyLength);
    byte[] last = KeyBytes.toArray(lastKey, Math.max(0, lastLength));
    if (!Arrays.equals(firstKey, footer.minKey) || !Arrays.equals(last, footer.maxKey)) {
      problems.accept("smallest and largest key are not those in the footer");
    }
    if (footer.keepsLsns) {
      compare("smallest LSN", minLsn, footer.minLsn);
      compare("largest LSN", maxLsn, footer.maxLsn);
    }
  }

  private void compare(String what, long found, long expected) {
    if (found != expected) {
      problems.accept(what + ": " + found + ", the footer says " + expected);
    }
  }

  private void fault(String what) {
    problems.accept("page " + pageNo + " entry " + index + ": " + what);
  }

  @Override
  public void close() {
    key.close();
    Mem.free(lastKey);
  }
}
