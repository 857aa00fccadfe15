package org.loam.lsm.manifest;

/**
 * What a database is. It is fixed when the database is created; only features may be added later.
 *
 * @param databaseId random; ties log and manifest together
 * @param pageBytes page size of every SSTable
 * @param featureBits what a reader must know; an unknown bit is refused
 * @param directoriesId ties its additional data directories to it: a checkpoint has the log of its
 *     original, and so its id, but none of its directories. Of any other database it is the id
 */
public record DatabaseIdentity(
    long databaseId, int pageBytes, long featureBits, long directoriesId) {
  /** Some tree has a description. */
  public static final long DESCRIPTIONS = 1;

  /** There is no log: the database lies below the log of a host, which alone can open it. */
  public static final long HOST_LOG = 2;

  /** There are additional data directories, where trees may live. */
  public static final long DIRECTORIES = 4;

  /** Values of a host's trees may leave out what their keys have. */
  public static final long HOST_VALUES = 8;

  /** It began as a checkpoint: its additional data directories have an id of their own. */
  public static final long CHECKPOINT = 16;

  /** Feature bits this version understands. */
  public static final long KNOWN_FEATURES =
      DESCRIPTIONS | HOST_LOG | DIRECTORIES | HOST_VALUES | CHECKPOINT;

  /** A database that did not begin as a checkpoint. */
  public DatabaseIdentity(long databaseId, int pageBytes, long featureBits) {
    this(databaseId, pageBytes, featureBits, databaseId);
  }

  /** This identity, for builds that know these features too. */
  DatabaseIdentity with(long features) {
    return new DatabaseIdentity(databaseId, pageBytes, featureBits | features, directoriesId);
  }

  /** The identity of a checkpoint of this database, all trees of which are in one directory. */
  DatabaseIdentity ofCheckpoint(long newDirectoriesId) {
    long features = (featureBits & ~DIRECTORIES) | CHECKPOINT;
    return new DatabaseIdentity(databaseId, pageBytes, features, newDirectoriesId);
  }

  /** Whether the log is that of a host: the database has none. */
  public boolean lacksLog() {
    return (featureBits & HOST_LOG) != 0;
  }

  /** Whether it began as a checkpoint. */
  boolean isOfCheckpoint() {
    return (featureBits & CHECKPOINT) != 0;
  }
}
