package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.jspecify.annotations.Nullable;

/** Finds indexes made by {@code CREATE PRIMARY INDEX}, which have the primary keys and no more. */
public interface KeyIndexes {
  /**
   * The index of keys beside a primary index, opened if it is not.
   *
   * @param primaryPath path of the primary index, relative to its device
   * @return null if there is none
   */
  @Nullable LoamIndex open(String primaryPath) throws HyracksDataException;
}
