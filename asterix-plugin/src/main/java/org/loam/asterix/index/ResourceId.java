package org.loam.asterix.index;

import org.apache.hyracks.api.exceptions.HyracksDataException;

/** The id that an index has in AsterixDB's log. */
public interface ResourceId {
  /** Looks it up; once the index has been created it has one, and keeps it. */
  long get() throws HyracksDataException;
}
