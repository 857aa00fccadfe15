package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.Truncate;

/** Flushes whose edit of the manifest could not be made at first. */
@Tag("once")
@ExtendWith(QuietLog.class)
class FailedFlushTest {
  private static final int MANIFEST_BYTES = 64 << 10;

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .writeInitialBytes(4 << 20)
          .logSegmentBytes(64 << 10)
          .logMaxBytes(256 << 10)
          .build();

  /** The next edit needs a fresh file of the manifest, which cannot be made. */
  private static void letNextEditFail(Simulation sim, Engine engine) {
    Manifest manifest = engine.open().storage().manifest();
    long bytes = manifest.forcedBytes();
    manifest.commit(ManifestEdit.of(new Truncate(0)));
    bytes = manifest.forcedBytes() - bytes;
    while (manifest.forcedBytes() + bytes <= MANIFEST_BYTES) {
      manifest.commit(ManifestEdit.of(new Truncate(0)));
    }
    sim.faults()
        .add(
            Fault.of(FaultEffect.IO_ERROR)
                .on(IoKind.FORCE_DIRECTORY)
                .onPath(sim.directory()::equals));
  }

  @Test
  void aFlushCountsWhenItIsDone() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
              Tree tree = engine.createTree("t");
              tree.put("a".getBytes(UTF_8), new byte[100]);
              letNextEditFail(sim, engine);
              assertThatThrownBy(tree::flush).isInstanceOf(StorageIoException.class);
              assertThat(engine.statistics().work().flushes()).isZero();
              assertThat(engine.statistics().work().flushedBytes()).isZero();
              tree.flush();
              assertThat(engine.statistics().work().flushes()).isEqualTo(1);
            }
          });
    }
  }
}
