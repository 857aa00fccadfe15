package org.loam.engine.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.Units;

@Tag("once")
class MemoryLayoutTest {
  private static MemoryLayout layout(String yaml) {
    return MemoryLayout.of(EngineConfig.fromYaml(yaml));
  }

  @ParameterizedTest
  @CsvSource({
    "64MiB, 16384",
    "64MiB, 4096",
    "65MiB, 4096",
    "100MiB, 8192",
    "1GiB, 16384",
    "20GiB, 32768",
    "4TiB, 4096",
    "4TiB, 32768"
  })
  void thePartsAddUpToTheTotal(String total, int pageBytes) {
    long totalBytes = Units.parseBytes(total);
    MemoryLayout layout =
        MemoryLayout.of(
            EngineConfig.builder().memoryTotalBytes(totalBytes).pageBytes(pageBytes).build());
    long parts = layout.fixedBytes() + (long) layout.poolPages() * pageBytes;
    // Tables and buffers are for a pool as large as if they took nothing.
    assertThat(totalBytes - parts).isBetween(0L, pageBytes + (128 << 10) + totalBytes / 1000);
    assertThat(layout.fixedBytes()).isLessThanOrEqualTo(totalBytes / 4);
    assertThat((long) layout.writePages() * pageBytes)
        .isBetween(totalBytes / 8 * 3 - pageBytes, totalBytes / 8 * 3);
    assertThat(layout.poolPages()).isGreaterThan(2 * layout.writePages());
  }

  @Test
  void fixedPartsScaleWithTheTotalWithinTheirBounds() {
    MemoryLayout small = layout("memory: {total: 64MiB}");
    assertThat(small.buffers().openMerges()).isEqualTo(3);
    assertThat(small.buffers().flush().pagesBytes()).isEqualTo(256 << 10);
    assertThat(small.buffers().flush().workBytes()).isEqualTo(512 << 10);
    assertThat(small.buffers().merge().inputBytes()).isEqualTo((12 + 8) * (64 << 10));
    assertThat(small.scratchBytes()).isEqualTo(16 << 10);
    assertThat(small.batchBytes()).as("an eighth of write memory").isEqualTo(3 << 20);
    MemoryLayout large = layout("memory: {total: 20GiB}");
    assertThat(large.buffers().openMerges()).isEqualTo(4);
    assertThat(large.buffers().flush().pagesBytes()).isEqualTo(1 << 20);
    assertThat(large.buffers().flush().workBytes()).isEqualTo(16 << 20);
    assertThat(large.buffers().merge().inputBytes()).isEqualTo((12 + 8) * (256 << 10));
    assertThat(large.scratchBytes()).isEqualTo(64 << 10);
    assertThat(large.batchBytes()).as("a quarter of a segment").isEqualTo(16 << 20);
    assertThat(layout("{memory: {total: 20GiB}, log: {segmentBytes: 1GiB, maxBytes: 4GiB}}"))
        .extracting(MemoryLayout::batchBytes)
        .isEqualTo(32 << 20);
  }

  /** A node of AsterixDB may be this small; tables of the cache count as well as buffers. */
  @ParameterizedTest
  @ValueSource(ints = {4096, 8192, 16384, 32768})
  void buffersOfUrgentMergesNeverMakeTheFixedPartsTooLarge(int pageBytes) {
    MemoryLayout layout =
        layout(
            "{memory: {total: 128MiB}, page: {size: %d}, write: {bulkLoads: 4}}"
                .formatted(pageBytes));
    assertThat(layout.buffers().openMerges()).isEqualTo(3);
    assertThat(layout.fixedBytes()).isLessThanOrEqualTo(32 << 20);
  }

  @Test
  void simulationsMayBeTiny() {
    MemoryLayout layout =
        layout(
            """
            memory: {total: 64MiB}
            page: {size: 4KiB}
            log: {segmentBytes: 64KiB, maxBytes: 128KiB}
            write: {initialBytes: 256KiB}
            sstable: {bytes: 64KiB}
            l0: {minMerge: 1, stop: 2}
            threads: {merge: 1}
            """);
    assertThat(layout.writePages()).isEqualTo(64);
    assertThat(layout.batchBytes()).isEqualTo(16 << 10);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 64})
  void fixedPartsAboveAQuarterAreRefused(int threads) {
    assertThatThrownBy(() -> layout("{memory: {total: 64MiB}, threads: {merge: " + threads + "}}"))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memory.total is 64MiB: buffers for " + threads + " merges")
        .hasMessageContaining("at most a quarter; raise memory.total or lower threads.merge");
  }

  @Test
  void writeMemoryMustLeaveTheCacheItsPlace() {
    String yaml = "{memory: {total: 64MiB}, page: {size: 4KiB}, write: {initialBytes: %s}}";
    assertThatThrownBy(() -> layout(yaml.formatted("60MiB")))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write.initialBytes is 60MiB, must be at most 49MiB");
    assertThatThrownBy(() -> layout(yaml.formatted("50MiB"))).hasMessageContaining("at most 49MiB");
    MemoryLayout most = layout(yaml.formatted("49MiB"));
    assertThat(most.poolPages() - most.writePages()).isGreaterThanOrEqualTo(256);
  }
}
