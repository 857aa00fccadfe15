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
import org.loam.engine.commit.LargeBatches;

@Tag("once")
class MemoryLayoutTest {
  private static MemoryLayout layout(String yaml) {
    return MemoryLayout.of(EngineConfig.fromYaml(yaml), false);
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
            EngineConfig.builder().memoryTotalBytes(totalBytes).pageBytes(pageBytes).build(),
            false);
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
    assertThat(small.buffers().merge().inputBytes()).isEqualTo((16 + 8) * (64 << 10));
    assertThat(small.scratchBytes()).isEqualTo(16 << 10);
    assertThat(small.batch().bytes()).as("an eighth of write memory").isEqualTo(3 << 20);
    MemoryLayout large = layout("memory: {total: 20GiB}");
    assertThat(large.buffers().openMerges()).isEqualTo(4);
    assertThat(large.buffers().flush().pagesBytes()).isEqualTo(1 << 20);
    assertThat(large.buffers().flush().workBytes()).isEqualTo(16 << 20);
    assertThat(large.buffers().merge().inputBytes()).isEqualTo((16 + 8) * (256 << 10));
    assertThat(large.scratchBytes()).isEqualTo(64 << 10);
    assertThat(large.batch().bytes()).as("a quarter of a segment").isEqualTo(16 << 20);
    assertThat(layout("{memory: {total: 20GiB}, log: {segmentBytes: 1GiB, maxBytes: 4GiB}}"))
        .extracting(own -> own.batch().bytes())
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
    assertThat(layout.batch().bytes()).isEqualTo(16 << 10);
  }

  /** What limits a batch is said with the setting that raises it. */
  @ParameterizedTest
  @CsvSource({
    "64MiB, 64MiB, 24MiB, 3MiB, an eighth of write.initialBytes, raise write.initialBytes",
    "64MiB, 64MiB, 40MiB, 4MiB, a sixteenth of memory.total, raise memory.total",
    "1GiB, 64MiB, 256MiB, 16MiB, a quarter of log.segmentBytes, raise log.segmentBytes",
    "1GiB, 1GiB, 256MiB, 32MiB, the most of any database, divide what it has"
  })
  void theLargestBatchSaysWhatRaisesIt(
      String total, String segment, String write, String most, String rule, String remedy) {
    MemoryLayout layout =
        layout(
            """
            memory: {total: %s}
            log: {segmentBytes: %s, maxBytes: 4GiB}
            write: {initialBytes: %s}
            """
                .formatted(total, segment, write));
    assertThat(layout.batch())
        .isEqualTo(new LargeBatches.Limit((int) Units.parseBytes(most), rule, remedy));
  }

  /** No frame has to hold a batch, so that the pool has what the buffer would take. */
  @Test
  void belowAHostsLogThereIsNoBufferForBatches() {
    EngineConfig config = EngineConfig.fromYaml("memory: {total: 128MiB}");
    MemoryLayout own = MemoryLayout.of(config, false);
    MemoryLayout hosted = MemoryLayout.of(config, true);
    assertThat(own.fixedBytes() - hosted.fixedBytes()).isBetween(5L << 20, 6L << 20);
    assertThat(hosted.writePages()).isEqualTo(own.writePages());
    assertThat(hosted.leastWritePages()).isEqualTo(64);
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
        .hasMessageContaining("write.initialBytes is 60MiB, must be at most 48MiB");
    assertThatThrownBy(() -> layout(yaml.formatted("50MiB"))).hasMessageContaining("at most 48MiB");
    MemoryLayout most = layout(yaml.formatted("48MiB"));
    assertThat(most.poolPages() - most.writePages()).isGreaterThanOrEqualTo(256);
  }
}
