package org.loam.lsm.disk;

import org.loam.cache.PageHeader;
import org.loam.common.error.CorruptionException;

/** What a page of an SSTable holds; the codes are part of the format. */
final class PageType {
  /** Entries in key order. */
  static final int LEAF = 1;

  /** Bytes of one value that is too large for a leaf. */
  static final int OVERFLOW = 2;

  /** Separators and child pages. */
  static final int INDEX = 3;

  /** Blocks of the Bloom filter. */
  static final int FILTER = 4;

  /** The last page of the file. */
  static final int FOOTER = 5;

  private PageType() {}

  /** The name of a type, for people. */
  static String name(int type) {
    return switch (type) {
      case LEAF -> "leaf";
      case OVERFLOW -> "overflow";
      case INDEX -> "index";
      case FILTER -> "filter";
      case FOOTER -> "footer";
      default -> "type " + type;
    };
  }

  /** Fails unless the page, whose checksum is right, is of the expected type. */
  static void require(long page, int type) {
    if (PageHeader.type(page) != type) {
      throw damaged(page, "type " + PageHeader.type(page) + ", expected " + type);
    }
  }

  /**
   * The fault of a page that has the right checksum and yet makes no sense: it was written wrong,
   * or the page that points to it was. The page knows the id of its file, and no two files of a
   * database have the same name, whatever directories they are in.
   */
  static CorruptionException damaged(long page, String what) {
    return new CorruptionException(
        SSTableMeta.fileName(PageHeader.fileId(page))
            + ": page "
            + PageHeader.pageNo(page)
            + ": "
            + what
            + "; the checksum is right, so it was written like this: restore the file from a"
            + " backup, and verify the database");
  }
}
