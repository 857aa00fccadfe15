package org.loam.lsm.disk;

import org.loam.cache.BufferCache;
import org.loam.cache.ReadIntent;

/**
 * The way from the root to a leaf, so that a cursor finds the leaves beside it. Index pages are
 * pinned only while they are looked at. One thread.
 */
final class IndexPath {
  /** What {@link #next} and {@link #previous} return at the ends. */
  static final int NONE = -1;

  private static final int FIRST = -1;
  private static final int LAST = -2;
  private static final int SAME = -3;

  private final SSTable table;
  private final BufferCache cache;
  private final int pageBytes;
  private final int[] pages;
  private final int[] positions;
  private final int[] counts;

  IndexPath(SSTable table) {
    this.table = table;
    this.cache = table.cache();
    this.pageBytes = cache.pageBytes();
    int levels = table.footer().indexLevels;
    this.pages = new int[levels];
    this.positions = new int[levels];
    this.counts = new int[levels];
  }

  /** Goes to the first leaf; returns the number of its page. */
  int first() {
    return descend(0, table.footer().root, FIRST);
  }

  /** Goes to the last leaf; returns the number of its page. */
  int last() {
    return descend(0, table.footer().root, LAST);
  }

  /** Goes to the leaf where a key and LSN belong; returns the number of its page. */
  int to(long key, int keyLength, long lsn) {
    int page = table.footer().root;
    for (int depth = 0; depth < pages.length; depth++) {
      long address = cache.pin(table, page, ReadIntent.META);
      try {
        int count = KeyedPage.open(address, pageBytes, PageType.INDEX);
        int position = PageSearch.route(address, pageBytes, count, key, keyLength, lsn);
        pages[depth] = page;
        positions[depth] = position;
        counts[depth] = count;
        page = table.child(address, count, position);
      } finally {
        cache.unpin(address);
      }
    }
    return page;
  }

  /** Goes to the next leaf; returns its page number, or {@link #NONE} and stays at the last. */
  int next() {
    for (int depth = pages.length - 1; depth >= 0; depth--) {
      if (positions[depth] + 1 < counts[depth]) {
        positions[depth]++;
        return descend(depth + 1, visit(depth, pages[depth], SAME), FIRST);
      }
    }
    return NONE;
  }

  /** Goes to the leaf before; returns its page number, or {@link #NONE} and stays at the first. */
  int previous() {
    for (int depth = pages.length - 1; depth >= 0; depth--) {
      if (positions[depth] > 0) {
        positions[depth]--;
        return descend(depth + 1, visit(depth, pages[depth], SAME), LAST);
      }
    }
    return NONE;
  }

  /**
   * Leaves that follow in the same parent. Their pages follow each other, with overflow pages
   * between them.
   *
   * @param end address of a key: leaves with nothing before it do not count; 0 for all
   */
  int following(long end, int endLength) {
    int parent = pages.length - 1;
    if (parent < 0) {
      return 0;
    }
    int last = counts[parent] - 1;
    if (end != 0 && last > positions[parent]) {
      last = positionOf(end, endLength);
    }
    return Math.max(0, last - positions[parent]);
  }

  /**
   * Leaves that precede in the same parent; see {@link #following}.
   *
   * @param end address of a key: leaves with nothing at or behind it do not count; 0 for all
   */
  int preceding(long end, int endLength) {
    int parent = pages.length - 1;
    if (parent < 0) {
      return 0;
    }
    int first = end != 0 && positions[parent] > 0 ? positionOf(end, endLength) : 0;
    return Math.max(0, positions[parent] - first);
  }

  /**
   * Leads a way to where a leaf in the same parent begins.
   *
   * @param step how many leaves it is away
   */
  void lead(Way way, int step) {
    int parent = pages.length - 1;
    long address = cache.pin(table, pages[parent], ReadIntent.META);
    try {
      EntryView entry = new EntryView(pageBytes);
      entry.enter(address, PageType.INDEX);
      entry.at(positions[parent] + step);
      way.leadTo(entry);
    } finally {
      cache.unpin(address);
    }
  }

  /** The position in the parent of the leaf where a key begins, or would. */
  private int positionOf(long key, int keyLength) {
    long address = cache.pin(table, pages[pages.length - 1], ReadIntent.META);
    try {
      int count = KeyedPage.open(address, pageBytes, PageType.INDEX);
      return PageSearch.route(address, pageBytes, count, key, keyLength, Long.MAX_VALUE);
    } finally {
      cache.unpin(address);
    }
  }

  private int descend(int fromDepth, int fromPage, int where) {
    int page = fromPage;
    for (int depth = fromDepth; depth < pages.length; depth++) {
      page = visit(depth, page, where);
    }
    return page;
  }

  /** Looks at one index page; returns the child at the position asked for. */
  private int visit(int depth, int page, int where) {
    long address = cache.pin(table, page, ReadIntent.META);
    try {
      int count = KeyedPage.open(address, pageBytes, PageType.INDEX);
      if (where != SAME) {
        pages[depth] = page;
        counts[depth] = count;
        positions[depth] = where == FIRST ? 0 : count - 1;
      }
      return table.child(address, count, positions[depth]);
    } finally {
      cache.unpin(address);
    }
  }
}
