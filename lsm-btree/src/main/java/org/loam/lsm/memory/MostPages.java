package org.loam.lsm.memory;

/**
 * The most pages that empty memory components take for a batch, and the largest entry for which a
 * number of pages is always enough.
 */
public final class MostPages {
  private MostPages() {}

  /**
   * Pages of nodes for inserts that are reserved together, however these are spread over the
   * components.
   */
  public static long ofNodes(int inserts, int components, int pageBytes) {
    int nodesPerPage = pageBytes / Node.BYTES;
    long nodes = NodeBudget.ofNewLevels(inserts, components);
    // Each component may leave a part of its last page.
    return (nodes + (long) components * (nodesPerPage - 1)) / nodesPerPage;
  }

  /**
   * Pages of records in one component. The end of a page that stays empty is shorter than what must
   * fit of the next record: 128 bytes, or header, key and a piece, which for a key of a quarter of
   * a page is less than a third.
   *
   * @param dataBytes of the keys and values of all of them
   */
  public static long ofRecords(int records, long dataBytes, int pageBytes) {
    long bytes = dataBytes + (long) records * (MemoryRecord.KEY_OFFSET + 8);
    long ifSmall = 1 + bytes / (pageBytes - pageBytes / 3);
    return Math.min(ifSmall, 1 + 2L * records + bytes / bytesOfFullPage(pageBytes));
  }

  /**
   * What a record in pieces has at least in a page between its first one and its last: there only a
   * piece has to fit, and half of the rest of a page may be of others, each with a header.
   */
  private static int bytesOfFullPage(int pageBytes) {
    return pageBytes
        - RecordArena.PAGE_START
        - 2 * (MemoryRecord.PIECE_HEADER_BYTES + RecordArena.MIN_PIECE_BYTES);
  }

  /** Bytes of a key and a value together for which so many pages are always enough. */
  public static long dataBytes(long pages, int pageBytes) {
    long pagesOfRecord = pages - ofNodes(1, 1, pageBytes);
    return (pagesOfRecord - 3) * bytesOfFullPage(pageBytes) - MemoryRecord.KEY_OFFSET - 8;
  }
}
