package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;

/** The last flush or load that AsterixDB has noted in the checkpoint of an index. */
public interface LastNoted {
  /**
   * Its number; that of an index without any says that it is new.
   *
   * @throws IllegalStateException if no checkpoint can be read, as for lack of file descriptors.
   *     The callback of AsterixDB's flushes has the same number, but calls the index new then
   * @throws HyracksDataException if the index is new by one checkpoint, and another cannot be read
   */
  long sequence() throws HyracksDataException;
}
