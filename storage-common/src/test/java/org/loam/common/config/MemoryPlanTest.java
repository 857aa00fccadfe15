package org.loam.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.common.config.MemoryPlan.Fixed;

@Tag("once")
class MemoryPlanTest {
  @ParameterizedTest
  @CsvSource({
    "64MiB, 16384",
    "64MiB, 4096",
    "65MiB, 4096",
    "100MiB, 8192",
    "1GiB, 16384",
    "20GiB, 16384",
    "4TiB, 4096",
    "4TiB, 32768"
  })
  void thePartsAddUpToTheTotalButForLessThanAPage(String total, int pageBytes) {
    long totalBytes = Units.parseBytes(total);
    MemoryPlan plan =
        EngineConfig.builder()
            .memoryTotalBytes(totalBytes)
            .pageBytes(pageBytes)
            .build()
            .memoryPlan();
    long parts = plan.fixed().totalBytes() + (long) plan.poolPages() * plan.pageBytes();
    assertThat(totalBytes - parts).isBetween(0L, pageBytes - 1L);
    assertThat(plan.fixed().totalBytes()).isLessThanOrEqualTo(totalBytes / 10);
    assertThat((long) plan.writePages() * pageBytes)
        .isBetween(totalBytes / 4 - pageBytes, totalBytes / 4);
    assertThat(plan.cachePages()).isGreaterThan(plan.writePages());
  }

  @Test
  void fixedPartsScaleWithTheTotalWithinTheirBounds() {
    Fixed small = EngineConfig.fromYaml("memory: {total: 64MiB}").memoryPlan().fixed();
    assertThat(small.logRingBytes()).isEqualTo(1 << 20);
    assertThat(small.chunkBytes()).isEqualTo(64 << 10);
    // 2 threads, 13 inputs and 2 for the output.
    assertThat(small.mergeBytes()).isEqualTo(2 * 15 * (64 << 10));
    assertThat(small.flushBytes()).isEqualTo(2 * (64 << 10));
    assertThat(small.filterBytes()).isEqualTo(3 * (512 << 10));
    // 4096 pages: 8192 slots and 4096 frames of 16 bytes, 512 ghosts of 32.
    assertThat(small.cacheTableBytes()).isEqualTo(8192 * 16 + 4096 * 16 + 512 * 32);
    Fixed large = EngineConfig.fromYaml("memory: {total: 20GiB}").memoryPlan().fixed();
    assertThat(large.logRingBytes()).isEqualTo(16 << 20);
    assertThat(large.chunkBytes()).isEqualTo(1 << 20);
    assertThat(large.filterBytes()).isEqualTo(3 * (2560 << 10));
    assertThat(large)
        .hasToString(
            "log ring 16MiB, merge buffers 30MiB, flush buffers 2MiB, filters 7680KiB,"
                + " cache tables 86272KiB");
  }

  @Test
  void theRingIsNeverLargerThanASegment() {
    Fixed fixed =
        EngineConfig.fromYaml("{memory: {total: 1GiB}, log: {segmentBytes: 68KiB}}")
            .memoryPlan()
            .fixed();
    assertThat(fixed.logRingBytes()).isEqualTo(64 << 10);
  }

  @Test
  void fixedPartsAboveAQuarterAreRefusedWithTheirSizes() {
    assertThatThrownBy(
            () -> EngineConfig.fromYaml("{memory: {total: 64MiB}, threads: {merge: 20}}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("memory.total: 64MiB, must be at least 4 times the fixed parts")
        .hasMessageContaining("merge buffers 19200KiB")
        .hasMessageContaining("lower threads.merge");
  }

  @Test
  void writeMemoryMustLeaveTheCacheItsPlace() {
    assertThatThrownBy(
            () -> EngineConfig.fromYaml("{memory: {total: 64MiB}, write: {initialBytes: 63MiB}}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("write.initialBytes: 63MiB")
        .hasMessageContaining("at most 58MiB");
    EngineConfig most =
        EngineConfig.fromYaml("{memory: {total: 64MiB}, write: {initialBytes: 58MiB}}");
    assertThat(most.memoryPlan().cachePages()).isGreaterThanOrEqualTo(64);
  }
}
