package org.loam.lsm.manifest;

/**
 * What a database is. It is fixed when the database is created; only features may be added later.
 *
 * @param databaseId random; ties log and manifest together
 * @param pageBytes page size of every SSTable
 * @param featureBits what a reader must know; an unknown bit is refused
 */
public record DatabaseIdentity(long databaseId, int pageBytes, long featureBits) {
  /** Some tree has a description. */
  public static final long DESCRIPTIONS = 1;

  /** There is no log: the database lies below the log of a host, which alone can open it. */
  public static final long HOST_LOG = 2;

  /** Some tree lives in an additional data directory. */
  public static final long DIRECTORIES = 4;

  /** Values of a host's trees may leave out what their keys have. */
  public static final long HOST_VALUES = 8;

  /** Feature bits this version understands. */
  public static final long KNOWN_FEATURES = DESCRIPTIONS | HOST_LOG | DIRECTORIES | HOST_VALUES;

  /** This identity, for builds that know these features too. */
  DatabaseIdentity with(long features) {
    return new DatabaseIdentity(databaseId, pageBytes, featureBits | features);
  }
}
