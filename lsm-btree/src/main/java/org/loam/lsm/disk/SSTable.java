package org.loam.lsm.disk;

import java.util.concurrent.atomic.AtomicInteger;
import org.loam.cache.BufferCache;
import org.loam.cache.PageHeader;
import org.loam.cache.PageSource;
import org.loam.cache.ReadIntent;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.ClosedException;
import org.loam.common.error.CorruptionException;
import org.loam.common.mem.Mem;

/**
 * Reads one SSTable. Thread-safe, save that {@link #close} must come after all other calls and
 * after the last use of what they returned; then the owner also purges the file's pages from the
 * cache.
 */
public final class SSTable implements PageSource, AutoCloseable {
  private final SSTableMeta meta;
  private final StorageFile file;
  private final BufferCache cache;
  private final int pageBytes;
  private final Footer footer;
  private final OverflowReader overflow;
  private final int filterBlocks;

  /** Smallest and largest key, off-heap; 0 when closed. */
  private long bounds;

  private final int minLength;
  private final int maxLength;

  /** The last leaf that scans had read ahead of their use. */
  private final AtomicInteger lastAskedPage = new AtomicInteger();

  private SSTable(SSTableMeta meta, StorageFile file, BufferCache cache, Footer footer) {
    this.meta = meta;
    this.file = file;
    this.cache = cache;
    this.pageBytes = cache.pageBytes();
    this.footer = footer;
    this.overflow = new OverflowReader(this);
    this.filterBlocks = FilterBlock.blocksPerPage(pageBytes);
    this.minLength = footer.minKey.length;
    this.maxLength = footer.maxKey.length;
    this.bounds = Mem.allocate(Math.max(1, minLength + maxLength), Long.BYTES);
    Mem.copyIn(footer.minKey, 0, bounds, minLength);
    Mem.copyIn(footer.maxKey, 0, bounds + minLength, maxLength);
  }

  /**
   * Opens a file for reading.
   *
   * @param meta what the manifest knows of the file
   * @param file owned by the SSTable from here on; left open if this throws
   * @throws CorruptionException if this is not the file that the manifest means
   * @throws org.loam.common.error.UnsupportedFormatException if it is newer than this release
   */
  public static SSTable open(SSTableMeta meta, StorageFile file, BufferCache cache) {
    int pageBytes = cache.pageBytes();
    if (file.sizeBytes() != meta.sizeBytes()
        || meta.sizeBytes() % pageBytes != 0
        || meta.sizeBytes() < 2L * pageBytes) {
      throw mismatch(file, "size", file.sizeBytes(), meta.sizeBytes());
    }
    int lastPage = Math.toIntExact(meta.sizeBytes() / pageBytes) - 1;
    long page = Mem.allocate(pageBytes, StorageFiles.ALIGNMENT);
    try {
      file.read((long) lastPage * pageBytes, page, pageBytes);
      PageHeader.verify(new Identity(meta, file), lastPage, page, pageBytes);
      if (PageHeader.checksum(page) != meta.fileCrc()) {
        throw mismatch(file, "checksum", PageHeader.checksum(page), meta.fileCrc());
      }
      PageType.require(page, PageType.FOOTER);
      Footer footer = new Footer(page, pageBytes, file.path().toString());
      requireMatch(file, meta, footer, lastPage + 1);
      return new SSTable(meta, file, cache, footer);
    } finally {
      Mem.free(page);
    }
  }

  /** The file as the manifest names it, before there is a reader. */
  private record Identity(SSTableMeta meta, StorageFile file) implements PageSource {
    @Override
    public int fileId() {
      return meta.fileId();
    }

    @Override
    public long salt() {
      return meta.salt();
    }
  }

  private static void requireMatch(
      StorageFile file, SSTableMeta meta, Footer footer, int pageCount) {
    requireEqual(file, "page count", footer.pageCount, pageCount);
    requireEqual(file, "entry count", footer.entryCount, meta.counts().entries());
    requireEqual(file, "anti-matter count", footer.antiMatterCount, meta.counts().antiMatter());
    requireEqual(file, "smallest LSN", footer.minLsn, meta.lsns().min());
    requireEqual(file, "largest LSN", footer.maxLsn, meta.lsns().max());
    if (!java.util.Arrays.equals(footer.minKey, meta.keys().min())
        || !java.util.Arrays.equals(footer.maxKey, meta.keys().max())) {
      throw new CorruptionException(
          file.path() + ": its smallest and largest key are not those in the manifest");
    }
  }

  private static void requireEqual(StorageFile file, String what, long found, long expected) {
    if (found != expected) {
      throw mismatch(file, what, found, expected);
    }
  }

  private static CorruptionException mismatch(
      StorageFile file, String what, long found, long expected) {
    return new CorruptionException(
        file.path()
            + ": "
            + what
            + " is "
            + found
            + ", the manifest says "
            + expected
            + "; restore the file");
  }

  public SSTableMeta meta() {
    return meta;
  }

  @Override
  public int fileId() {
    return meta.fileId();
  }

  @Override
  public long salt() {
    return meta.salt();
  }

  @Override
  public StorageFile file() {
    return file;
  }

  /** Whether entries carry their own LSNs. */
  public boolean keepsLsns() {
    return footer.keepsLsns;
  }

  /** Whether some key has several versions. */
  public boolean hasSeveralVersions() {
    return footer.severalVersions;
  }

  Footer footer() {
    return footer;
  }

  BufferCache cache() {
    return cache;
  }

  OverflowReader overflow() {
    return overflow;
  }

  /** The address of smallest and largest key, one after the other. */
  long bounds() {
    long address = bounds;
    if (address == 0) {
      throw new ClosedException(file.path() + ": the SSTable was closed");
    }
    return address;
  }

  /**
   * Finds the newest version of a key at or below an LSN. A file that did not keep LSNs has one
   * version of each key, and shows it to readers at or above its largest LSN only: no read LSN lies
   * between its smallest and its largest, so one below is below all of them.
   *
   * @param hash {@link org.loam.common.codec.Hash64#of} of the key
   * @param result must hold nothing; on success it holds the entry, and a pin until released
   * @param intent what the leaf is read for
   * @return whether there is one; anti-matter counts
   */
  public boolean find(
      long key, int keyLength, long hash, long readLsn, Lookup result, ReadIntent intent) {
    if (!isVisibleAt(readLsn) || !isWithinBounds(key, keyLength) || !mightContain(hash)) {
      return false;
    }
    int pageNo = footer.root;
    for (int level = footer.indexLevels; level > 0; level--) {
      pageNo = route(pageNo, key, keyLength, readLsn);
    }
    result.comesTo(this, pageNo);
    long leaf = cache.pin(this, pageNo, intent);
    boolean taken = false;
    try {
      int count = KeyedPage.open(leaf, pageBytes, PageType.LEAF);
      int i = PageSearch.lowerBound(leaf, pageBytes, count, key, keyLength, readLsn);
      if (i >= 0) {
        result.take(this, leaf, i, intent);
        taken = true;
      }
      return taken;
    } finally {
      if (!taken) {
        cache.unpin(leaf);
      }
    }
  }

  /** Whether a reader with a read LSN may see an entry of the file; if not, it needs no cursor. */
  public boolean isVisibleAt(long readLsn) {
    return footer.keepsLsns ? meta.lsns().min() <= readLsn : meta.lsns().max() <= readLsn;
  }

  private boolean isWithinBounds(long key, int keyLength) {
    long min = bounds();
    return Mem.compare(key, keyLength, min, minLength) >= 0
        && Mem.compare(key, keyLength, min + minLength, maxLength) <= 0;
  }

  private int route(int pageNo, long key, int keyLength, long lsn) {
    long page = cache.pin(this, pageNo, ReadIntent.META);
    try {
      int count = KeyedPage.open(page, pageBytes, PageType.INDEX);
      return child(page, count, PageSearch.route(page, pageBytes, count, key, keyLength, lsn));
    } finally {
      cache.unpin(page);
    }
  }

  /** The child page of an index entry, which is one of this file. */
  int child(long page, int count, int i) {
    int child = KeyedPage.child(page, count, pageBytes, i);
    if (child < 0 || child >= footer.pageCount) {
      throw PageType.damaged(page, "entry " + i + ": child page " + child);
    }
    return child;
  }

  /**
   * Whether the file may have versions of a key; false is certain.
   *
   * @param hash {@link org.loam.common.codec.Hash64#of} of the key
   */
  public boolean mightContain(long hash) {
    int pages = footer.filterPages;
    if (pages == 0) {
      return true;
    }
    int pageNo = footer.filterStart + FilterBlock.pageOf(hash, pages);
    long page = cache.pin(this, pageNo, ReadIntent.FILTER);
    try {
      PageType.require(page, PageType.FILTER);
      long block = page + FilterBlock.offsetOf(hash, pages, filterBlocks);
      return FilterBlock.mightContain(block, hash, footer.filterProbes);
    } finally {
      cache.unpin(page);
    }
  }

  /**
   * A cursor over the newest versions at or below an LSN; not at an entry yet. Pins one leaf.
   *
   * @param readLsn at which the file {@linkplain #isVisibleAt is visible}
   * @param intent what leaves are read for; those that are not kept are not read ahead
   * @param reach how far it is expected to go
   */
  public LeafCursor cursor(long readLsn, ReadIntent intent, Reach reach) {
    bounds();
    if (!isVisibleAt(readLsn)) {
      throw new IllegalArgumentException("readLsn " + readLsn + ": shows nothing of " + meta);
    }
    return new LeafCursor(this, readLsn, intent, reach);
  }

  AtomicInteger lastAskedPage() {
    return lastAskedPage;
  }

  /** Reads leaves into the cache; for a {@link Reach.ReadAhead}. */
  public void readAhead(int pageNo, int lastPageNo) {
    cache.readAhead(this, pageNo, lastPageNo, ReadIntent.QUERY);
  }

  /** Closes the file. */
  @Override
  public void close() {
    long address = bounds;
    if (address != 0) {
      bounds = 0;
      Mem.free(address);
      file.close();
    }
  }
}
