package org.loam.tuner.bench;

/** A cache that replaces the least recently used page; pages are numbers from 0 on. */
final class PageCache {
  static final int NONE = -1;

  private final int[] newer;
  private final int[] older;

  /** Stands for the ends of the list. */
  private final int end;

  private int capacity;
  private int size;

  PageCache(int pages, int capacity) {
    this.newer = new int[pages + 1];
    this.older = new int[pages + 1];
    this.end = pages;
    this.capacity = capacity;
    java.util.Arrays.fill(newer, NONE);
    newer[end] = end;
    older[end] = end;
  }

  void resize(int pages) {
    capacity = pages;
  }

  /** Whether a page is there; it is then the newest. */
  boolean use(int page) {
    if (newer[page] == NONE) {
      return false;
    }
    unlink(page);
    linkAsNewest(page);
    return true;
  }

  /** A page comes, which is not there. */
  void add(int page) {
    linkAsNewest(page);
    size++;
  }

  /** A page that has to leave; {@link #NONE} if none has to. */
  int evict() {
    if (size <= capacity) {
      return NONE;
    }
    int oldest = newer[end];
    unlink(oldest);
    newer[oldest] = NONE;
    size--;
    return oldest;
  }

  private void unlink(int page) {
    newer[older[page]] = newer[page];
    older[newer[page]] = older[page];
  }

  private void linkAsNewest(int page) {
    int newest = older[end];
    newer[newest] = page;
    older[page] = newest;
    newer[page] = end;
    older[end] = page;
  }
}
