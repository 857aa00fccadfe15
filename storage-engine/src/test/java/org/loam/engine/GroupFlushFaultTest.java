package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.common.config.Durability;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;

/** A tree that cannot be flushed does not keep the others from it. */
@Tag("once")
@ExtendWith(QuietLog.class)
class GroupFlushFaultTest {
  private static final int TREES = 20;
  private static final long A_MINUTE = 60_000_000_000L;

  @Test
  void treesOfOtherDirectoriesAreFlushed() {
    try (Simulation sim = Simulation.seeded(1)) {
      Path broken = Path.of("/mnt/broken");
      sim.run(
          () -> {
            OpenOptions options = OpenOptions.DEFAULT.withDirectories(List.of(broken));
            try (Engine engine =
                Engine.open(
                    sim.env(),
                    sim.directory(),
                    EngineSimulationTest.config(Durability.PROCESS),
                    options)) {
              List<Tree> good = new ArrayList<>();
              for (int i = 0; i < TREES; i++) {
                good.add(engine.createTree("good" + i));
              }
              Tree bad = engine.createTree("bad", TreeOptions.DEFAULT.inDirectory(1));
              bad.put(key(), new byte[100]);
              good.forEach(tree -> tree.put(key(), new byte[100]));
              sim.faults()
                  .add(
                      Fault.of(FaultEffect.IO_ERROR)
                          .on(IoKind.CREATE)
                          .onPath(path -> path.startsWith(broken))
                          .asSticky());
              bad.host().beginFlush();
              good.forEach(tree -> tree.host().beginFlush());
              sim.env().waiter().pause(A_MINUTE);
              for (var tree : engine.statistics().trees()) {
                assertThat(tree.levels().isEmpty())
                    .as("%s is in memory only", tree.name())
                    .isEqualTo(tree.name().equals("bad"));
              }
              sim.faults().clear();
              bad.flush();
            }
          });
    }
  }

  private static byte[] key() {
    return "key".getBytes(UTF_8);
  }
}
