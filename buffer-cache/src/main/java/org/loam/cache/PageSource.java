package org.loam.cache;

import org.loam.common.env.StorageFile;

/**
 * A file of immutable pages, as the cache reads it. Thread-safe.
 *
 * @see PageHeader
 */
public interface PageSource {
  /** Positive; never used again for another file. */
  int fileId();

  /** Random number that seeds the checksums of this file's pages. */
  long salt();

  StorageFile file();
}
