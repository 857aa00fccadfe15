package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.asterix.node.LoamNode;
import org.loam.common.config.DiskConfig;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.PageCacheUse;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;

/** What a node's configuration may say, and what it may not. */
class LoamSettingsTest {
  private static final long MACHINE = 16L << 30;

  @TempDir Path directory;

  @Test
  void memoryIsAQuarterOfTheMachinesUnlessItIsSaid() {
    assertThat(LoamSettings.of(null, null, true, MACHINE).engine().memory().totalBytes())
        .isEqualTo(4L << 30);
    assertThat(LoamSettings.of("1GiB", null, true, MACHINE).engine().memory().totalBytes())
        .isEqualTo(1L << 30);
  }

  /** As {@code ./loam bench asterixdb --set} writes them. */
  @Test
  void settingsHaveTheirWholeNamesOrAreInGroups() {
    EngineConfig named =
        LoamSettings.of(null, "{tuner.mode: ADAPTIVE, write.initialBytes: 2MiB}", true, MACHINE)
            .engine();
    assertThat(named.tuner().mode()).isEqualTo(TunerMode.ADAPTIVE);
    String inGroups = "{tuner: {mode: ADAPTIVE}, write: {initialBytes: 2MiB}}";
    assertThat(LoamSettings.of(null, inGroups, true, MACHINE).engine()).isEqualTo(named);
  }

  @Test
  void writersInsideHaveRoomWhenAFlushIsWanted() {
    assertThat(LoamSettings.of(null, null, true, MACHINE).engine().write().flushThreshold())
        .isEqualTo(0.6);
  }

  @Test
  void anIndexIsNotDividedUnlessItIsAskedFor() {
    assertThat(LoamSettings.of(null, null, true, MACHINE).engine().write().scheme())
        .isEqualTo(WriteScheme.DYNAMIC);
    assertThat(
            LoamSettings.of(null, "{write: {scheme: RANGES}}", true, MACHINE)
                .engine()
                .write()
                .scheme())
        .isEqualTo(WriteScheme.RANGES);
  }

  @Test
  void l0IsAsDeepWhileNoQueryComesAsBesideQueries() {
    DiskConfig.L0 l0 = LoamSettings.of(null, null, true, MACHINE).engine().disk().l0();
    assertThat(l0.scanFreeRatio()).isEqualTo(1);
    assertThat(l0.stop()).isEqualTo(12);
    DiskConfig.L0 asked =
        LoamSettings.of(null, "{l0: {scanFreeRatio: 2, stop: 16}}", true, MACHINE)
            .engine()
            .disk()
            .l0();
    assertThat(asked.scanFreeRatio()).isEqualTo(2);
    assertThat(asked.stop()).isEqualTo(16);
  }

  @Test
  void whatIsReadOfTreesMayStayInThePageCacheUnlessItIsForbidden() {
    assertThat(LoamSettings.of(null, null, true, MACHINE).engine().io().pageCache())
        .isEqualTo(PageCacheUse.READS);
    assertThat(
            LoamSettings.of(null, "{io: {pageCache: NONE}}", true, MACHINE)
                .engine()
                .io()
                .pageCache())
        .isEqualTo(PageCacheUse.NONE);
  }

  @Test
  void aFewLoadsGoPastWriteMemoryAtOnceAndFitIntoTheLeastMemory() {
    EngineConfig config = LoamSettings.of("64MiB", null, true, MACHINE).engine();
    assertThat(config.write().bulkLoads()).isEqualTo(4);
    try (LoamNode node = new LoamNode(directory, config, () -> 1)) {
      assertThat(node.statistics().trees()).isEmpty();
    }
    assertThat(
            LoamSettings.of(null, "{write: {bulkLoads: 9}}", true, MACHINE)
                .engine()
                .write()
                .bulkLoads())
        .isEqualTo(9);
  }

  @Test
  void otherSettingsAreYaml() {
    LoamSettings settings =
        LoamSettings.of(
            null, "{io: {limitBytesPerSecond: 5MiB}, memory: {total: 2GiB}}", false, MACHINE);
    assertThat(settings.engine().io().limitBytesPerSecond()).isEqualTo(5L << 20);
    assertThat(settings.engine().memory().totalBytes()).isEqualTo(2L << 30);
    assertThat(settings.withMetadata()).isFalse();
  }

  @Test
  void whatIsNotAllowedIsRefusedByName() {
    requireRefused("17GiB", null, "[nc] loam.memory: 17GiB, must be at most the 16GiB that");
    requireRefused("much", null, "[nc] loam.memory: ");
    requireRefused(
        "1GiB",
        "{memory: {total: 2GiB}}",
        "[nc] loam.settings has memory.total, and there is loam.memory; remove one of them");
    requireRefused("1MiB", null, "memory.total");
    requireRefused(null, "{cash: {policy: CLOCK}}", "cash");
    requireRefused(null, "{threads: {merge: 0}}", "threads.merge");
  }

  @Test
  void theMemoryOfAMachineIsSaidInWholeMebibytes() {
    assertThatThrownBy(() -> LoamSettings.of("17GiB", null, true, MACHINE - 12_345))
        .hasMessageContaining("must be at most the 16383MiB that");
  }

  private static void requireRefused(
      @Nullable String memory, @Nullable String others, String message) {
    assertThatThrownBy(() -> LoamSettings.of(memory, others, true, MACHINE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
