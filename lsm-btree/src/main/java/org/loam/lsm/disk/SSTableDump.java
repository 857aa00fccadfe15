package org.loam.lsm.disk;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFiles;

/**
 * An SSTable to be looked at, without a manifest and without a database: as much as can be read of
 * it, and what is damaged. Immutable.
 *
 * @param file its path
 * @param sizeBytes its size
 * @param footer what its footer says, null if there is none; then nothing else can be read
 * @param pages its pages by type; those whose checksum is wrong are "damaged"
 * @param pageList its first pages
 * @param entries its first entries
 * @param damageCount how much is wrong
 * @param damage the first of it, one sentence each
 */
public record SSTableDump(
    String file,
    long sizeBytes,
    @Nullable Facts footer,
    Map<String, Integer> pages,
    List<Page> pageList,
    List<Entry> entries,
    long damageCount,
    List<String> damage) {
  /**
   * What a footer says. Its parts are groups of fields for the code; as JSON they are one.
   *
   * @param file of the file as a whole
   * @param counts of entries
   * @param keys the range of keys
   * @param lsns LSNs and versions
   * @param dataPages pages of entries and values
   * @param filter the Bloom filter
   * @param index pages that lead to entries
   */
  public record Facts(
      @JsonUnwrapped FileFacts file,
      @JsonUnwrapped Counts counts,
      @JsonUnwrapped KeyFacts keys,
      @JsonUnwrapped LsnFacts lsns,
      @JsonUnwrapped DataPages dataPages,
      @JsonUnwrapped FilterFacts filter,
      @JsonUnwrapped IndexFacts index) {}

  /**
   * The file as a whole.
   *
   * @param fileId the file's id
   * @param salt random number that seeds its checksums, in hexadecimal
   * @param checksum that of the footer page, which stands for all bytes, in hexadecimal
   * @param pageBytes page size
   * @param pageCount pages, this one included
   */
  public record FileFacts(int fileId, String salt, String checksum, int pageBytes, int pageCount) {}

  /**
   * How much the file holds.
   *
   * @param entries entries, all versions and anti-matter counted
   * @param antiMatter entries that are anti-matter
   * @param keys distinct keys
   */
  public record Counts(long entries, long antiMatter, long keys) {}

  /**
   * The range of keys.
   *
   * @param minKey smallest key
   * @param maxKey largest key
   * @param longestKeyBytes of the longest key
   */
  public record KeyFacts(String minKey, String maxKey, int longestKeyBytes) {}

  /**
   * LSNs and versions.
   *
   * @param minLsn smallest LSN
   * @param maxLsn largest LSN
   * @param keepsLsns whether each entry has an LSN of its own
   * @param severalVersions whether some key has several versions
   */
  public record LsnFacts(long minLsn, long maxLsn, boolean keepsLsns, boolean severalVersions) {}

  /**
   * Pages of entries and values.
   *
   * @param leafPages pages of entries
   * @param overflowPages pages of large values
   */
  public record DataPages(int leafPages, int overflowPages) {}

  /**
   * The Bloom filter.
   *
   * @param filterPages pages of the Bloom filter, 0 if there is none
   * @param filterProbes bits that the filter sets for a key
   * @param filterBitsPerKey bits that the filter has for a key
   */
  public record FilterFacts(int filterPages, int filterProbes, double filterBitsPerKey) {}

  /**
   * Pages that lead to entries.
   *
   * @param indexLevels levels of index pages
   * @param rootPage number of the root page
   */
  public record IndexFacts(int indexLevels, int rootPage) {}

  /**
   * A page whose checksum is right.
   *
   * @param number of the page
   * @param type what it holds
   * @param entries its entries
   * @param prefixBytes that all its keys begin with
   * @param freeBytes that nothing uses
   * @param maxLsn the largest LSN in it
   * @param firstKey its first key or separator; null if it has none
   */
  public record Page(
      int number,
      String type,
      int entries,
      int prefixBytes,
      int freeBytes,
      long maxLsn,
      @Nullable String firstKey) {}

  /**
   * An entry.
   *
   * @param page number of its leaf
   * @param key its key
   * @param lsn its LSN, or that of the file if entries have none
   * @param kind "put" or "anti-matter"
   * @param olderVersion whether a newer version of the key comes before it
   * @param valueBytes length of the value
   * @param overflowPage where the value begins if it has pages of its own, otherwise null
   */
  public record Entry(
      int page,
      String key,
      long lsn,
      String kind,
      boolean olderVersion,
      int valueBytes,
      @Nullable Integer overflowPage) {}

  /**
   * How much to list.
   *
   * @param pages most pages
   * @param entries most entries
   */
  public record Limits(long pages, long entries) {
    /** Neither. */
    public static final Limits NONE = new Limits(0, 0);
  }

  /**
   * Reads every page of a file that is not being written.
   *
   * @throws org.loam.common.error.StorageIoException if it is not there or cannot be read
   */
  public static SSTableDump read(StorageFiles files, Path path, Limits limits) {
    try (SSTableDumper dumper = new SSTableDumper(files, path, limits)) {
      return dumper.run();
    }
  }
}
