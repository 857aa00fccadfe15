package org.loam.lsm.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.loam.common.mem.PagePool;

/**
 * The pool pages that one arena took, to give them back together. The arena's owner guards taking;
 * any thread may read the count.
 */
final class PageList {
  private final PagePool.Quota quota;
  private long[] pages = new long[16];
  private volatile int count;

  PageList(PagePool.Quota quota) {
    this.quota = quota;
  }

  /** Takes one more page; 0 if the quota is used up. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
  long take() {
    // First: without heap for it, a page that was taken would be lost.
    if (count == pages.length) {
      pages = Arrays.copyOf(pages, count * 2);
    }
    long page = quota.allocate();
    if (page == 0) {
      return 0;
    }
    pages[count] = page;
    count++;
    return page;
  }

  /**
   * Takes so many pages; null, and none is taken, if the quota has fewer. For a moment {@link
   * #count} may count some of them even then.
   */
  long @Nullable [] takeAll(int number) {
    long[] taken = new long[number];
    for (int i = 0; i < number; i++) {
      taken[i] = take();
      if (taken[i] == 0) {
        giveBack(i);
        return null;
      }
    }
    return taken;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
  private void giveBack(int newest) {
    for (int i = 0; i < newest; i++) {
      count--;
      quota.free(pages[count]);
    }
  }

  long get(int index) {
    return pages[index];
  }

  int count() {
    return count;
  }

  void release() {
    int n = count;
    count = 0;
    for (int i = n - 1; i >= 0; i--) {
      quota.free(pages[i]);
    }
  }
}
