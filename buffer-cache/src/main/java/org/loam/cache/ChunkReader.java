package org.loam.cache;

import org.loam.common.error.CorruptionException;

/**
 * Reads the pages of a file in order and in large chunks, past the cache, for merges and for
 * verifying what a flush wrote: pages read once must not displace those that queries use
 * (MemoryWalls §5.3 counts them apart, as {@link AccessClass#MERGE}). Every page is verified. One
 * thread at a time.
 */
public final class ChunkReader {
  /** Usual size of a buffer; larger chunks are hardly faster. */
  public static final int CHUNK_BYTES = 1 << 20;

  /** Smallest chunk, for when memory is short. */
  public static final int MIN_CHUNK_BYTES = 64 << 10;

  private final int pageBytes;
  private final long buffer;
  private final int chunkPages;
  private final CacheCounters counters;
  private PageSource source;

  /** Page after the last of the range. */
  private int to;

  /** Page that {@link #next} returns next. */
  private int nextPage;

  /** Pages [chunkStart, chunkEnd) are in the buffer. */
  private int chunkStart;

  private int chunkEnd;

  /**
   * Makes a reader at the end of an empty range; {@link #open} gives it a range.
   *
   * @param buffer address of the buffer, which stays the caller's; a multiple of 4096 saves a copy
   * @param bufferBytes its size, at least {@link #MIN_CHUNK_BYTES} and a page
   */
  public ChunkReader(
      PageSource source, int pageBytes, long buffer, int bufferBytes, CacheCounters counters) {
    this.source = source;
    this.pageBytes = pageBytes;
    this.buffer = buffer;
    this.counters = counters;
    this.chunkPages = bufferBytes / pageBytes;
    int least = Math.max(MIN_CHUNK_BYTES, pageBytes);
    if (bufferBytes < least) {
      throw new IllegalArgumentException(
          "buffer of " + bufferBytes + " bytes: must be at least " + least);
    }
  }

  /**
   * Starts over with the pages [from, to) of a file, which must be there.
   *
   * @throws IllegalArgumentException if {@code from} is negative or above {@code to}
   */
  public void open(PageSource source, int from, int to) {
    if (from < 0 || from > to) {
      throw new IllegalArgumentException(
          "pages from " + from + " to " + to + ": must be 0 <= from <= to");
    }
    this.source = source;
    this.to = to;
    this.nextPage = from;
    this.chunkStart = from;
    this.chunkEnd = from;
  }

  /**
   * Moves to the next page.
   *
   * @return the address of its bytes, valid until the next call; 0 past the last page
   * @throws CorruptionException if the page is not what was written; it is not passed over
   * @throws org.loam.common.error.StorageIoException if the read failed; it may be tried again
   */
  public long next() {
    if (nextPage == to) {
      return 0;
    }
    if (nextPage == chunkEnd) {
      read();
    }
    long address = buffer + (long) (nextPage - chunkStart) * pageBytes;
    try {
      PageHeader.verify(source, nextPage, address, pageBytes);
    } catch (CorruptionException e) {
      counters.checksumFailed();
      throw e;
    }
    nextPage++;
    return address;
  }

  /** The page that {@link #next} returned last. */
  public int pageNo() {
    return nextPage - 1;
  }

  private void read() {
    int pages =
        counters.backgroundBytes(Math.min(chunkPages, to - nextPage) * pageBytes) / pageBytes;
    long began = counters.backgroundBegins();
    try {
      source.file().read((long) nextPage * pageBytes, buffer, pages * pageBytes);
      counters.missed(AccessClass.MERGE, pages, began);
    } finally {
      counters.backgroundEnds();
    }
    chunkStart = nextPage;
    chunkEnd = nextPage + pages;
  }
}
