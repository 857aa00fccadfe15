package org.loam.engine.tuning;

import java.nio.file.Path;
import java.util.OptionalLong;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageException;
import org.loam.tuner.TunerOptions;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.history.HistoryReader;

/**
 * The split that the last cycle of an earlier opening left, so that a restart costs no cycles. It
 * is a hint out of a file that is never forced: where it is missing or wrong, the tuner begins with
 * another split, and goes on from there.
 */
final class LastSplit {
  private static final Logger LOGGER = LogManager.getLogger(LastSplit.class);

  private LastSplit() {}

  /**
   * The write memory of that split, within the bounds of the tuner. Empty if there is no such
   * cycle, or if memory was divided otherwise by the configuration then: a user that changed that
   * wants to begin anew.
   *
   * @param initialBytes the write memory with which the engine was opened now
   * @param poolBytes write memory and buffer cache together
   */
  static OptionalLong writeBytes(
      StorageFiles files,
      Path directory,
      long initialBytes,
      long poolBytes,
      TunerOptions.Bounds bounds) {
    HistoryEntry last = lastEntry(files, directory);
    if (last == null
        || last.initialBytes() != initialBytes
        || last.memory().totalBytes() != poolBytes) {
      return OptionalLong.empty();
    }
    long most = poolBytes - bounds.leastCacheBytes();
    long bytes = Math.min(most, last.decision().toBytes());
    return OptionalLong.of(Math.max(bounds.leastWriteBytes(), bytes));
  }

  private static @Nullable HistoryEntry lastEntry(StorageFiles files, Path directory) {
    try {
      return HistoryReader.last(files, HistoryReader.fileIn(directory));
    } catch (StorageException e) {
      LOGGER.warn("the memory tuner begins with write.initialBytes: {}", e.getMessage());
      return null;
    }
  }
}
