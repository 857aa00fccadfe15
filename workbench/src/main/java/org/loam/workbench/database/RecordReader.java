package org.loam.workbench.database;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads records one by one, so that there may be more of them than memory. */
interface RecordReader {
  /**
   * The next record, or null at the end.
   *
   * @throws BadRecordException if what is there is no record; the next call goes on behind it
   */
  @Nullable InputRecord next() throws IOException, BadRecordException;
}
