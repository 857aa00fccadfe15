package org.loam.engine;

import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.lsm.manifest.Manifest;
import org.loam.lsm.manifest.ManifestEdit;
import org.loam.lsm.manifest.ManifestEdit.Truncate;

/** A manifest that needs a fresh file for its next edit. */
final class FullManifest {
  private static final int FILE_BYTES = 64 << 10;

  private FullManifest() {}

  /**
   * Commits edits that change nothing until the file is full.
   *
   * @param editBytes what the next edit takes of the file at least
   */
  static void fill(Engine engine, int editBytes) {
    Manifest manifest = engine.open().storage().manifest();
    while (manifest.forcedBytes() + editBytes <= FILE_BYTES) {
      manifest.commit(ManifestEdit.of(new Truncate(0)));
    }
  }

  /** Commits such edits until the file has no room for a truncation of the log. */
  static void fillForTruncation(Engine engine) {
    Manifest manifest = engine.open().storage().manifest();
    long before = manifest.forcedBytes();
    manifest.commit(ManifestEdit.of(new Truncate(0)));
    fill(engine, Math.toIntExact(manifest.forcedBytes() - before));
  }

  /** No fresh file can be made. */
  static Fault fault(Simulation sim) {
    return Fault.of(FaultEffect.IO_ERROR)
        .on(IoKind.FORCE_DIRECTORY)
        .onPath(sim.directory()::equals);
  }
}
