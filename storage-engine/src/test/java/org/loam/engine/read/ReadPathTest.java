package org.loam.engine.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.LsmTree;

class ReadPathTest {
  /** As for lack of memory; or merges would keep its versions for as long as the engine is open. */
  @Test
  void aCursorThatCouldNotBeMadeKeepsNoVersions() {
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            try (OpenEngine engine = SmallEngine.open(sim, SmallEngine.config())) {
              LsmTree tree = SmallEngine.createTree(engine, "t");
              ReadPath reads = engine.reads();
              assertThatThrownBy(() -> reads.scan(tree, null))
                  .isInstanceOf(NullPointerException.class);
              assertThat(reads.registry().size()).isZero();
              try (Moment moment = reads.moment()) {
                assertThatThrownBy(() -> moment.scan(tree, null))
                    .isInstanceOf(NullPointerException.class);
              }
              assertThat(reads.registry().size()).isZero();
            }
          });
    }
  }
}
