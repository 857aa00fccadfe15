package org.loam.workbench.bench.secondary;

import java.nio.file.Path;
import java.util.Map;
import org.loam.engine.Dataset;
import org.loam.workbench.peer.Attributes;
import org.loam.workbench.peer.LoamEngine;
import org.loam.workbench.peer.StoreSettings.Durability;

/** A new database with one dataset and its indexes, which are {@link Attributes}. Thread-safe. */
final class IndexedRecords extends LoamEngine {
  private final Dataset dataset;

  IndexedRecords(Path directory, long memoryBytes, int indexes) {
    super(directory, config(memoryBytes, Durability.PROCESS, Map.of()));
    this.dataset =
        engine
            .datasets()
            .create("records", "a value that proves itself", Attributes.definitions(indexes));
  }

  Dataset dataset() {
    return dataset;
  }
}
