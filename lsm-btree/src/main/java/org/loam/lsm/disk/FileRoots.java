package org.loam.lsm.disk;

/**
 * Where the parts of a file begin, for its footer.
 *
 * @param pageCount all pages, the footer page among them
 * @param pagesCrc CRC32C over the checksums of all pages before the footer
 * @param filterPages pages of the filter, which begins after the leaves
 * @param filterProbes bits that a key sets in the filter
 * @param indexLevels levels of index pages
 * @param root the topmost index page, or the only leaf
 */
record FileRoots(
    int pageCount, int pagesCrc, int filterPages, int filterProbes, int indexLevels, int root) {}
