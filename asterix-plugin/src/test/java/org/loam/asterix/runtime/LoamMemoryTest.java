package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.asterix.common.config.StorageProperties;
import org.apache.hyracks.storage.common.buffercache.HeapBufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Tree;

/** When operations of AsterixDB's own indexes have to wait before they begin. */
class LoamMemoryTest {
  private static final int PAGE_BYTES = 4096;

  @TempDir Path directory;

  /** AsterixDB's own memory, of 16 pages. */
  private static StorageProperties storage() {
    return new StorageProperties(null) {
      @Override
      public int getBufferCachePageSize() {
        return PAGE_BYTES;
      }

      @Override
      public int getMemoryComponentPageSize() {
        return PAGE_BYTES;
      }

      @Override
      public long getMemoryComponentGlobalBudget() {
        return 16 * PAGE_BYTES;
      }

      @Override
      public double getMemoryComponentFlushThreshold() {
        return 0.9;
      }

      @Override
      public int getFilteredMemoryComponentMaxNumPages() {
        return 16;
      }
    };
  }

  /** Operations of AsterixDB's own indexes wait for AsterixDB's memory alone. */
  @Test
  void itIsNotFullBecauseLoamsIs() throws Exception {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64L << 20).flushThreshold(0.6).build();
    try (LoamNode node = new LoamNode(directory, config, () -> 1L)) {
      LoamMemory memory = new LoamMemory(new HeapBufferAllocator(), storage(), 1);
      Tree tree = node.openTree("a", directory, true, () -> {});
      assertThat(memory.isFull()).isFalse();
      byte[] value = new byte[10_000];
      for (int i = 0; !node.isFull(); i++) {
        tree.put(new byte[] {(byte) (i >> 8), (byte) i}, value);
      }
      assertThat(memory.isFull()).isFalse();
    }
  }
}
