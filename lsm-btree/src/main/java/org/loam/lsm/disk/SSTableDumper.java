package org.loam.lsm.disk;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.loam.cache.PageHeader;
import org.loam.cache.PageSource;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.UnsupportedFormatException;
import org.loam.common.key.EntryKind;
import org.loam.common.key.Keys;
import org.loam.common.mem.Mem;
import org.loam.lsm.disk.SSTableDump.Counts;
import org.loam.lsm.disk.SSTableDump.DataPages;
import org.loam.lsm.disk.SSTableDump.Entry;
import org.loam.lsm.disk.SSTableDump.Facts;
import org.loam.lsm.disk.SSTableDump.FileFacts;
import org.loam.lsm.disk.SSTableDump.FilterFacts;
import org.loam.lsm.disk.SSTableDump.IndexFacts;
import org.loam.lsm.disk.SSTableDump.KeyFacts;
import org.loam.lsm.disk.SSTableDump.Limits;
import org.loam.lsm.disk.SSTableDump.LsnFacts;
import org.loam.lsm.disk.SSTableDump.Page;

/** Makes a {@link SSTableDump}. One use, one thread. */
final class SSTableDumper implements AutoCloseable {
  private static final int MAX_PAGE_BYTES = 32 << 10;

  private final StorageFile file;
  private final Limits limits;
  private final long buffer = Mem.allocate(MAX_PAGE_BYTES, StorageFiles.ALIGNMENT);
  private final Map<String, Integer> pages = new TreeMap<>();
  private final List<Page> pageList = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private final List<String> damage = new ArrayList<>();
  private long damageCount;

  SSTableDumper(StorageFiles files, Path path, Limits limits) {
    this.limits = limits;
    try {
      this.file = files.open(path, StorageFiles.Mode.READ);
    } catch (RuntimeException e) {
      Mem.free(buffer);
      throw e;
    }
  }

  /** The file as its own footer names it. */
  private record Identity(int fileId, long salt, StorageFile file) implements PageSource {}

  SSTableDump run() {
    Facts facts = null;
    try {
      facts = read();
    } catch (CorruptionException | UnsupportedFormatException e) {
      damaged(String.valueOf(e.getMessage()));
    }
    return new SSTableDump(
        file.path().toString(),
        file.sizeBytes(),
        facts,
        pages,
        pageList,
        entries,
        damageCount,
        damage);
  }

  private void damaged(String what) {
    damageCount++;
    if (damage.size() < TableReport.MAX_PROBLEMS) {
      damage.add(what);
    }
  }

  private Facts read() {
    int pageBytes = pageBytes();
    int pageCount = Math.toIntExact(file.sizeBytes() / pageBytes);
    readPage(pageCount - 1, pageBytes);
    Footer footer = new Footer(buffer, pageBytes, file.path().toString());
    Identity identity = new Identity(footer.fileId, footer.salt, file);
    if (footer.pageCount != pageCount || file.sizeBytes() % pageBytes != 0) {
      damaged(
          "the file has "
              + file.sizeBytes()
              + " bytes, its footer says "
              + footer.pageCount
              + " pages of "
              + pageBytes);
    }
    int checksum = PageHeader.checksum(buffer);
    CRC32C checksums = new CRC32C();
    try (KeyBuffer key = new KeyBuffer(footer.maxKeyLength)) {
      for (int pageNo = 0; pageNo < pageCount; pageNo++) {
        readPage(pageNo, pageBytes);
        if (pageNo < pageCount - 1) {
          for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            checksums.update(PageHeader.checksum(buffer) >>> shift);
          }
        }
        if (PageHeader.isWhole(identity, pageNo, buffer, pageBytes)) {
          count(PageType.name(PageHeader.type(buffer)));
          list(pageNo, pageBytes, footer, key);
        } else {
          count("damaged");
          damaged(PageHeader.fault(identity, pageNo, buffer, pageBytes));
        }
      }
    }
    if ((int) checksums.getValue() != footer.pagesCrc) {
      damaged(
          String.format(
              Locale.ROOT,
              "checksum over all pages %08x, the footer says %08x",
              (int) checksums.getValue(),
              footer.pagesCrc));
    }
    return facts(footer, pageBytes, checksum);
  }

  /** The page size, which the last bytes of the file tell without it. */
  private int pageBytes() {
    long size = file.sizeBytes();
    if (size < FooterLayout.BYTES || size % FooterLayout.BYTES != 0) {
      throw new CorruptionException(
          "the file has "
              + size
              + " bytes, an SSTable has a multiple of "
              + FooterLayout.BYTES
              + ": it was cut off, or is something else");
    }
    file.read(size - FooterLayout.BYTES, buffer, FooterLayout.BYTES);
    int pageBytes = Mem.getInt(buffer + FooterLayout.PAGE_BYTES);
    if (Mem.getLong(buffer + FooterLayout.MAGIC_OFFSET) != FooterLayout.MAGIC
        || pageBytes < FooterLayout.BYTES
        || pageBytes > MAX_PAGE_BYTES
        || Integer.bitCount(pageBytes) != 1
        || size < pageBytes) {
      throw new CorruptionException(
          "the last bytes of the file are no footer: it was cut off, or damaged, or is something"
              + " else; without one nothing in it can be read");
    }
    return pageBytes;
  }

  private void readPage(int pageNo, int pageBytes) {
    file.read((long) pageNo * pageBytes, buffer, pageBytes);
  }

  private void count(String type) {
    pages.merge(type, 1, Integer::sum);
  }

  private void list(int pageNo, int pageBytes, Footer footer, KeyBuffer key) {
    int type = PageHeader.type(buffer);
    boolean keyed = type == PageType.LEAF || type == PageType.INDEX;
    boolean listsEntries = type == PageType.LEAF && entries.size() < limits.entries();
    boolean listsPage = pageList.size() < limits.pages();
    String first = null;
    try {
      if (keyed && (listsEntries || listsPage)) {
        EntryView entry = new EntryView(pageBytes);
        entry.enter(buffer, type);
        key.enter(entry);
        first = keyAt(entry, 0, key);
        for (int i = 0; listsEntries && i < entry.count(); i++) {
          listsEntries = entries.size() < limits.entries();
          if (listsEntries) {
            entries.add(entry(pageNo, keyAt(entry, i, key), entry, footer));
          }
        }
      }
    } catch (CorruptionException e) {
      damaged(String.valueOf(e.getMessage()));
    }
    if (listsPage) {
      pageList.add(
          new Page(
              pageNo,
              PageType.name(type),
              PageHeader.count(buffer),
              PageHeader.prefixLength(buffer),
              PageHeader.freeBytes(buffer),
              PageHeader.maxLsn(buffer),
              first));
    }
  }

  private static String keyAt(EntryView entry, int i, KeyBuffer key) {
    entry.at(i);
    key.show(entry);
    return Keys.describe(KeyBytes.toArray(key.address(), key.length()));
  }

  private static Entry entry(int pageNo, String key, EntryView entry, Footer footer) {
    @Nullable Integer overflowPage = entry.isOverflow() ? entry.firstOverflowPage() : null;
    return new Entry(
        pageNo,
        key,
        entry.hasLsn() ? entry.lsn() : footer.maxLsn,
        entry.kind() == EntryKind.ANTI_MATTER ? "anti-matter" : "put",
        entry.isOlderVersion(),
        entry.valueLength(),
        overflowPage);
  }

  private static Facts facts(Footer footer, int pageBytes, int checksum) {
    double filterBits = 8.0 * footer.filterPages * (pageBytes - FilterBlock.BYTES);
    return new Facts(
        new FileFacts(
            footer.fileId,
            Long.toHexString(footer.salt),
            HexFormat.of().toHexDigits(checksum),
            pageBytes,
            footer.pageCount),
        new Counts(footer.entryCount, footer.antiMatterCount, footer.keyCount),
        new KeyFacts(
            Keys.describe(footer.minKey), Keys.describe(footer.maxKey), footer.maxKeyLength),
        new LsnFacts(footer.minLsn, footer.maxLsn, footer.keepsLsns, footer.severalVersions),
        new DataPages(footer.leafPages, footer.overflowPages),
        new FilterFacts(footer.filterPages, footer.filterProbes, filterBits / footer.keyCount),
        new IndexFacts(footer.indexLevels, footer.root));
  }

  @Override
  public void close() {
    Mem.free(buffer);
    file.close();
  }
}
