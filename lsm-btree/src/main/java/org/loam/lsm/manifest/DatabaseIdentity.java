package org.loam.lsm.manifest;

/**
 * What is fixed when a database is created.
 *
 * @param databaseId random; ties log and manifest together
 * @param pageBytes page size of every SSTable
 * @param featureBits what a reader must know; an unknown bit is refused
 */
public record DatabaseIdentity(long databaseId, int pageBytes, long featureBits) {
  /** Feature bits this version understands: none yet. */
  public static final long KNOWN_FEATURES = 0;
}
