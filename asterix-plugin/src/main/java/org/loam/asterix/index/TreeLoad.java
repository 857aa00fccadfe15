package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;

/**
 * A way to fill the tree of an index with entries in ascending order; {@link LoamBulkLoader}
 * chooses it. One thread at a time. Faults end it.
 */
interface TreeLoad {
  void add(byte[] key, byte[] value) throws HyracksDataException;

  /** Makes durable what was added. */
  void commit() throws HyracksDataException;

  /** Ends it; what was not committed may be there or not. Ending twice is harmless. */
  void close() throws HyracksDataException;
}
