package org.loam.lsm.memory;

import org.loam.common.mem.PagePool;

/**
 * Nodes, carved out of pool pages in order and never given back one by one. Used by the writer
 * alone.
 */
final class NodeArena {
  private final PageList pages;
  private final int nodesPerPage;
  private long taken;

  NodeArena(PagePool.Quota quota, int pageBytes) {
    this.pages = new PageList(quota);
    this.nodesPerPage = pageBytes / Node.BYTES;
  }

  /** Makes sure that as many nodes can be taken; false if the quota does not allow it. */
  boolean reserve(long nodes) {
    while ((long) pages.count() * nodesPerPage - taken < nodes) {
      if (pages.take() == 0) {
        return false;
      }
    }
    return true;
  }

  /** A node that was reserved; its content is undefined. */
  long take() {
    if (taken >= (long) pages.count() * nodesPerPage) {
      throw new AssertionError("no node left of " + taken + ": insert without reserve");
    }
    long node =
        pages.get((int) (taken / nodesPerPage)) + (taken % nodesPerPage) * (long) Node.BYTES;
    taken++;
    return node;
  }

  int pageCount() {
    return pages.count();
  }

  void release() {
    pages.release();
  }
}
