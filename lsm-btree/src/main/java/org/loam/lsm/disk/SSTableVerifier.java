package org.loam.lsm.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.loam.cache.PageHeader;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.CorruptionException;
import org.loam.common.mem.Mem;

/**
 * Reads every page of a file, past the cache, and checks what holds them together: checksums, the
 * order and number of pages and entries, bounds, filter, index and the checksum of the whole. One
 * use, one thread.
 */
public final class SSTableVerifier {
  private static final int CHUNK_BYTES = 1 << 20;

  private final SSTable table;
  private final Footer footer;
  private final int pageBytes;
  private final List<String> problems = new ArrayList<>();
  private long problemCount;
  private final CRC32C pagesCrc = new CRC32C();
  private final LeafChecks leaves;

  /** The filter's pages, to probe them while leaves pass; 0 if there are none. */
  private long filter;

  /** Overflow pages that must come before the next leaf. */
  private int overflowDue;

  private int overflowPages;
  private int leafPages;

  /**
   * Reads and checks a whole file. Only index pages go through the cache.
   *
   * @return the problems; none if the file is as it was written
   * @throws org.loam.common.error.StorageIoException if it cannot be read
   */
  public static TableReport verify(SSTable table) {
    table.bounds();
    return new SSTableVerifier(table).run();
  }

  private SSTableVerifier(SSTable table) {
    this.table = table;
    this.footer = table.footer();
    this.pageBytes = table.cache().pageBytes();
    this.leaves = new LeafChecks(table, this::problem);
  }

  TableReport run() {
    long chunk = Mem.allocate(Math.max(CHUNK_BYTES, pageBytes), StorageFiles.ALIGNMENT);
    try {
      loadFilter();
      readAll(chunk);
      compareTotals();
    } finally {
      Mem.free(chunk);
      leaves.close();
      if (filter != 0) {
        Mem.free(filter);
      }
    }
    return new TableReport(
        table.file().path(), footer.pageCount, leaves.entryCount(), problemCount, problems);
  }

  private void problem(String what) {
    problemCount++;
    if (problems.size() < TableReport.MAX_PROBLEMS) {
      problems.add(what);
    }
  }

  /** Damage is reported when all pages are read; here it only means that nothing can be probed. */
  private void loadFilter() {
    if (footer.filterPages == 0) {
      return;
    }
    filter = Mem.allocate((long) footer.filterPages * pageBytes, StorageFiles.ALIGNMENT);
    boolean sound = true;
    for (int i = 0; i < footer.filterPages; i++) {
      long page = filter + (long) i * pageBytes;
      int pageNo = footer.filterStart + i;
      table.file().read((long) pageNo * pageBytes, page, pageBytes);
      sound &= faultOf(page, pageNo) == null && PageHeader.type(page) == PageType.FILTER;
    }
    if (sound) {
      leaves.probe(filter);
    }
  }

  private @Nullable String faultOf(long page, int pageNo) {
    return PageHeader.isWhole(table, pageNo, page, pageBytes)
        ? null
        : PageHeader.fault(table, pageNo, page, pageBytes);
  }

  private void readAll(long chunk) {
    int chunkPages = Math.max(1, CHUNK_BYTES / pageBytes);
    for (int from = 0; from < footer.pageCount; from += chunkPages) {
      int pages = Math.min(chunkPages, footer.pageCount - from);
      table.file().read((long) from * pageBytes, chunk, pages * pageBytes);
      for (int i = 0; i < pages; i++) {
        check(chunk + (long) i * pageBytes, from + i);
      }
    }
  }

  private void check(long page, int pageNo) {
    int checksum = PageHeader.checksum(page);
    if (pageNo == footer.pageCount - 1) {
      equal("checksum of the footer", checksum, table.meta().fileCrc());
    } else {
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        pagesCrc.update(checksum >>> shift);
      }
    }
    String fault = faultOf(page, pageNo);
    if (fault != null) {
      problem(fault);
      leaves.skip();
      overflowDue = 0;
      return;
    }
    if (pageNo < footer.dataPages()) {
      checkData(page, pageNo);
      return;
    }
    boolean isFilter =
        pageNo >= footer.filterStart && pageNo < footer.filterStart + footer.filterPages;
    int expected =
        pageNo == footer.pageCount - 1
            ? PageType.FOOTER
            : isFilter ? PageType.FILTER : PageType.INDEX;
    if (PageHeader.type(page) != expected) {
      problem("page " + pageNo + ": type " + PageHeader.type(page) + ", expected " + expected);
    }
  }

  private void checkData(long page, int pageNo) {
    if (overflowDue > 0) {
      overflowDue--;
      overflowPages++;
      if (PageHeader.type(page) != PageType.OVERFLOW) {
        problem("page " + pageNo + ": type " + PageHeader.type(page) + ", expected overflow");
      }
      return;
    }
    if (PageHeader.type(page) == PageType.OVERFLOW && leaves.isSkipping()) {
      // It belongs to a leaf that could not be read.
      overflowPages++;
      return;
    }
    leafPages++;
    try {
      overflowDue = leaves.check(page, pageNo);
    } catch (CorruptionException e) {
      problem(String.valueOf(e.getMessage()));
      leaves.skip();
    }
  }

  private void compareTotals() {
    if (problemCount > 0) {
      // Totals of what could be read say nothing.
      return;
    }
    equal("leaf pages", leafPages, footer.leafPages);
    equal("overflow pages", overflowPages, footer.overflowPages);
    equal("overflow pages missing after the last leaf", overflowDue, 0);
    equal("checksum over all pages", pagesCrc.getValue(), footer.pagesCrc & 0xffffffffL);
    leaves.compareTotals();
  }

  private void equal(String what, long found, long expected) {
    if (found != expected) {
      problem(what + ": " + found + ", expected " + expected);
    }
  }
}
