package org.loam.workbench.peer.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.peer.Sample;
import org.loam.workbench.peer.Store;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.workload.Keys;

/** The memory of RocksDB is there for records, however many column families share it. */
class RocksOptionsTest {
  private static final int TREES = 200;
  private static final long MEMORY_BYTES = 64L << 20;
  private static final long MEMTABLES_BYTES = MEMORY_BYTES / 2;
  private static final int VALUE_BYTES = 1000;

  @TempDir Path directory;

  private static double gauge(Store store, String name) {
    return Objects.requireNonNull(store.sample().gauges().get(name));
  }

  private static void put(Store store, int from, int to) {
    byte[] key = Keys.newBuffer();
    byte[] value = new byte[VALUE_BYTES];
    for (int tree = 0; tree < TREES; tree++) {
      try (Store.Session session = store.session(tree)) {
        for (int index = from; index < to; index++) {
          Keys.write(Keys.identity(index), key);
          session.put(key, value);
        }
      }
    }
  }

  /** A memtable with one record takes little; two fifths of the memory fill without a flush. */
  @Test
  void manyFamiliesHaveTheMemoryForTheirRecords() {
    StoreSettings settings =
        new StoreSettings(
            directory, MEMORY_BYTES, Durability.PROCESS, VALUE_BYTES, TREES, 0, Map.of());
    try (Store store = new RocksStoreFactory().open(settings)) {
      put(store, 0, 1);
      assertThat(gauge(store, Sample.WRITE_MEMORY_USED_BYTES))
          .as("with a record in each family")
          .isLessThan(MEMTABLES_BYTES / 8.0);
      int records = (int) (MEMTABLES_BYTES * 2 / 5 / TREES / VALUE_BYTES);
      put(store, 1, records);
      assertThat(gauge(store, Sample.WRITE_MEMORY_USED_BYTES))
          .as("loaded")
          .isBetween((double) TREES * records * VALUE_BYTES, (double) MEMTABLES_BYTES);
      assertThat(store.sample().counters()).containsEntry(Sample.FLUSHED_BYTES, 0.0);
    }
  }
}
