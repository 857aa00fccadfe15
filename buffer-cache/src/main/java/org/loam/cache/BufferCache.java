package org.loam.cache;

/**
 * Fixed-size off-heap frames holding pages of disk components. Thread-safe; a pinned page is never
 * evicted or moved. Pages are immutable, so nothing is ever written back.
 */
public interface BufferCache {
  /** Bytes of a page and of a frame. */
  int pageBytes();

  /**
   * Pins a page, reading and verifying it on a miss.
   *
   * @param pageNo 0-based
   * @param intent what the page is read for; a read that keeps nothing leaves the cache as it was,
   *     hot pages no hotter, save for a frame in use until its {@link #unpin}
   * @return the address of {@link #pageBytes} read-only bytes, valid until unpinned exactly once
   * @throws org.loam.common.error.CorruptionException if the page is not what was written, naming
   *     file, page, expected and found checksum; nothing is cached
   * @throws org.loam.common.error.StorageIoException if the read failed; the cache stays usable
   * @throws org.loam.common.error.DeadlineException if all frames stayed pinned for too long
   */
  long pin(PageSource source, int pageNo, ReadIntent intent);

  /**
   * Pins a page, as {@link #pin} does, for a reader that goes on to the pages behind it, or before
   * it: on a miss the same request reads some of these, a stretch. A fault of one of these pages is
   * thrown only when a reader pins that page. The pages of long stretches take little of the cache
   * until they are used again.
   *
   * @param lastPageNo the last page that the reader goes on to, above or below; all between must be
   *     there
   */
  default long pinStretch(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {
    return pin(source, pageNo, intent);
  }

  /**
   * Reads, in few requests, those of some pages that are not in the cache and that no thread reads
   * now, as {@link #pinStretch} reads the pages beside its own. Returns when these reads have
   * ended, or early if no buffer is free. This is for a thread that reads the pages to which
   * another thread goes on. A fault of a page is thrown only when a reader pins that page.
   *
   * @param pageNo the first that the reader comes to
   * @param lastPageNo the last, above or below; all between must be there
   */
  default void readAhead(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {}

  /**
   * Reads and verifies pages of a large value past the cache: they would evict what many others
   * need.
   *
   * @param pageNo the first
   * @param pages how many
   * @param address where their bytes go
   * @throws org.loam.common.error.CorruptionException as {@link #pin} does
   * @throws org.loam.common.error.StorageIoException if the read failed
   */
  default void readPast(PageSource source, int pageNo, int pages, long address) {
    source.file().read((long) pageNo * pageBytes(), address, pages * pageBytes());
    for (int i = 0; i < pages; i++) {
      PageHeader.verify(source, pageNo + i, address + (long) i * pageBytes(), pageBytes());
    }
  }

  /** Whether a page is in the cache, which may have changed by now. */
  default boolean isThere(int fileId, int pageNo) {
    return false;
  }

  /**
   * How many other pages were used since the last use of a page, about. It may have changed by now.
   *
   * @return infinite if the page is not in the cache, below 0 if it is there and this is not known,
   *     as of most pages
   */
  default double usedSince(int fileId, int pageNo) {
    return isThere(fileId, pageNo) ? -1 : Double.POSITIVE_INFINITY;
  }

  /**
   * Takes in a copy of a page that was just written and that readers want, as if one had missed it;
   * or does not, if no frame is to be had at once.
   *
   * @param address {@link #pageBytes} bytes, as they are in the file
   */
  default void admit(int fileId, int pageNo, long address) {}

  /** Whether the page is in the cache and was used more than once of late. */
  default boolean isWarm(int fileId, int pageNo) {
    return false;
  }

  /** Ends a pin. */
  void unpin(long address);

  /**
   * A write or a force of a table begins. {@link #writeEnds} follows, whatever comes of it.
   *
   * @return the time from which {@link #wrote} is measured
   */
  default long writeBegins() {
    return 0;
  }

  /**
   * How large the next request of a writer of tables may be: smaller while clients read from disk.
   *
   * @param most at other times
   */
  default int requestBytes(int most) {
    return most;
  }

  /**
   * Counts that pages which will be read were written or forced, past the cache.
   *
   * @param bytes 0 if they were forced
   * @param began what {@link #writeBegins} returned
   */
  default void wrote(long bytes, long began) {}

  /** A write or a force of a table has ended, or failed. */
  default void writeEnds() {}

  /**
   * Forgets the pages of a file that no reader needs again; their frames become free. Pages still
   * pinned, or being read, are dropped at their last unpin. Costs a table probe for each page of
   * the file, whatever the size of the cache.
   *
   * @param pageCount pages of the file; later ones are not looked for
   */
  void purge(int fileId, int pageCount);
}
