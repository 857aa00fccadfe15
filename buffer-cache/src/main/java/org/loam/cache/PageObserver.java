package org.loam.cache;

/**
 * Learns which pages are used, missed and leave the cache: what would be known of a cache of
 * another size. Called by the threads that read, outside of locks; must be thread-safe and quick.
 */
public interface PageObserver {
  /** Looks at nothing. */
  PageObserver NONE =
      new PageObserver() {
        @Override
        public void used(long pageId, long hash) {}

        @Override
        public void missed(long pageId, AccessClass access, boolean stays) {}

        @Override
        public void left(long pageId) {}

        @Override
        public void deleted(long firstPageId, long lastPageId) {}
      };

  /**
   * A page is asked for, whether it is in the cache or not. At every pin, so that this may cost
   * next to nothing.
   *
   * @param pageId file id and page number
   * @param hash of the page id, all of its bits well mixed
   */
  void used(long pageId, long hash);

  /**
   * How many other pages were used since the last use of a page, about; below 0 if not known.
   *
   * @param hash as in {@link #used}
   */
  default double usedSince(long pageId, long hash) {
    return -1;
  }

  /**
   * A page is read from disk.
   *
   * @param stays whether it is to be kept in the cache
   */
  void missed(long pageId, AccessClass access, boolean stays);

  /** A page gave way to another. */
  void left(long pageId);

  /** The pages from one to the other do not exist any more. */
  void deleted(long firstPageId, long lastPageId);
}
