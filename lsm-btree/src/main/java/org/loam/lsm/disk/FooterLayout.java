package org.loam.lsm.disk;

import org.loam.cache.PageHeader;

/**
 * The footer page, version 1: the last page of an SSTable. It has a page header like all pages, so
 * its checksum covers all of it; its fields lie in the last 4,096 bytes of the file, where they are
 * found without knowing the page size. Integers are little-endian.
 *
 * <pre>
 *  offset in the last 4,096 bytes
 *       0    32  page header, if pages have 4,096 bytes (else the page has it at its start)
 *      32     8  magic, "LOAM-SST"
 *      40     4  format version, 1
 *      44     4  pageBytes
 *      48     8  feature bits that a reader must know, all others 0
 *      56     8  salt
 *      64     4  fileId
 *      68     4  pageCount, with this page
 *      72     4  CRC32C over the checksums, u32 each, of all pages before this one
 *      76     4  flags: 1 entries have LSNs, 2 some key has several versions
 *      80     8  entryCount
 *      88     8  antiMatterCount
 *      96     8  keyCount, distinct keys
 *     104     8  minLsn
 *     112     8  maxLsn
 *     120     4  leafPages
 *     124     4  overflowPages
 *     128     4  filterPages, 0 if there is no filter
 *     132     4  first filter page
 *     136     4  probes of the filter
 *     140     4  indexLevels, 0 if there is one leaf
 *     144     4  root page of the index, the leaf if there is one leaf
 *     148     4  reserved for the root of range deletes, -1
 *     152     8  reserved for the LSN up to which a secondary index was repaired, 0
 *     160     4  longest key of the file
 *     164     4  length of the smallest key
 *     168     4  length of the largest key
 *     172     4  offset of the smallest key in this page
 *     176     4  offset of the largest key in this page
 *     180    76  zeros
 *     256  3840  keys that fit, zeros
 * </pre>
 *
 * <p>A bound that does not fit into the last 3,840 bytes lies after the page header: larger pages
 * have the room. Pinned by {@code sstable-v1.hex}.
 */
final class FooterLayout {
  static final int VERSION = 1;

  /** The features this version knows: none yet. */
  static final long KNOWN_FEATURES = 0;

  static final int BYTES = 4096;
  static final long MAGIC = 0x5453532d4d414f4cL;

  static final int MAGIC_OFFSET = PageHeader.BYTES;
  static final int VERSION_OFFSET = 40;
  static final int PAGE_BYTES = 44;
  static final int FEATURES = 48;
  static final int SALT = 56;
  static final int FILE_ID = 64;
  static final int PAGE_COUNT = 68;
  static final int PAGES_CRC = 72;
  static final int FLAGS = 76;
  static final int ENTRY_COUNT = 80;
  static final int ANTI_MATTER_COUNT = 88;
  static final int KEY_COUNT = 96;
  static final int MIN_LSN = 104;
  static final int MAX_LSN = 112;
  static final int LEAF_PAGES = 120;
  static final int OVERFLOW_PAGES = 124;
  static final int FILTER_PAGES = 128;
  static final int FILTER_START = 132;
  static final int FILTER_PROBES = 136;
  static final int INDEX_LEVELS = 140;
  static final int ROOT = 144;
  static final int RANGE_DELETE_ROOT = 148;
  static final int MAX_KEY_LENGTH = 160;
  static final int LOW_KEY_LENGTH = 164;
  static final int HIGH_KEY_LENGTH = 168;
  static final int LOW_KEY_OFFSET = 172;
  static final int HIGH_KEY_OFFSET = 176;
  static final int KEYS_OFFSET = 256;

  /** Flag: entries have LSNs. */
  static final int KEEPS_LSNS = 1;

  /** Flag: some key has several versions. */
  static final int SEVERAL_VERSIONS = 2;

  private FooterLayout() {}
}
