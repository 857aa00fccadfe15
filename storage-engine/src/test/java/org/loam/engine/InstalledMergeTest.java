package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.error.CorruptionException;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.WorkFaults;
import org.loam.engine.open.SmallEngine;
import org.loam.engine.tree.Installer;
import org.loam.lsm.manifest.ManifestEdit.ReplaceComponents;

/** A merge counts, and ends what is known of failures, once the manifest has it. */
@Tag("once")
@ExtendWith(QuietLog.class)
class InstalledMergeTest {
  /** What the edit of a merge takes of the manifest at least. */
  private static final int EDIT_BYTES = 48;

  @Test
  void aMergeThatTheManifestDoesNotTakeCountsForNothing() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (Engine engine =
                Engine.open(sim.env(), sim.directory(), SmallEngine.config().build())) {
              int treeId = engine.createTree("t").lsm().treeId();
              Installer installer = engine.open().installer();
              WorkFaults faults = engine.open().writes().faults();
              faults.damaged(treeId, new CorruptionException("damage"));
              faults.mergeFailed(new StorageIoException("failure"));
              ReplaceComponents merge = new ReplaceComponents(treeId, List.of(), List.of(), -1);
              FullManifest.fill(engine, EDIT_BYTES);
              sim.faults().add(FullManifest.fault(sim));
              assertThatThrownBy(() -> installer.install(merge))
                  .isInstanceOf(StorageIoException.class);
              assertThat(installer.merges()).isZero();
              assertThat(faults.lastOfMerges()).isEqualTo("failure");
              faults.mergeSucceeded();
              assertThat(faults.lastOfMerges()).isEqualTo("damage");
              installer.install(merge);
              assertThat(installer.merges()).isEqualTo(1);
              assertThat(faults.lastOfMerges()).isNull();
            }
          });
    }
  }
}
