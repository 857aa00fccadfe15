package org.loam.lsm.merge;

/**
 * What SSTables are like.
 *
 * @param pageBytes page size of the database
 * @param filterBitsPerKey bits of Bloom filter per key
 * @param tableBytes size at which flushes and merges end one table and begin the next
 * @param forceBytes written bytes after which a force is due
 */
public record TableSettings(
    int pageBytes, int filterBitsPerKey, long tableBytes, long forceBytes) {}
