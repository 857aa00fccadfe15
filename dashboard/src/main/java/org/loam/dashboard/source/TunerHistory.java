package org.loam.dashboard.source;

import java.nio.file.Path;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.loam.common.env.real.RealEnv;
import org.loam.common.error.StorageException;
import org.loam.tuner.history.HistoryEntry;
import org.loam.tuner.history.HistoryReader;

/** The history of the memory tuner in the directory of a database. */
final class TunerHistory {
  private static final Logger LOGGER = LogManager.getLogger(TunerHistory.class);

  private TunerHistory() {}

  static List<HistoryEntry> of(Path directory) {
    try {
      return HistoryReader.read(RealEnv.create().files(), HistoryReader.fileIn(directory))
          .entries();
    } catch (StorageException e) {
      LOGGER.warn("the history of the memory tuner is not shown: {}", e.getMessage());
      return List.of();
    }
  }
}
