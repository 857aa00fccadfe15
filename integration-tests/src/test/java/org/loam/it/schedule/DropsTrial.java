package org.loam.it.schedule;

import java.util.List;
import org.loam.common.error.ClosedException;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/**
 * A tree that is dropped while a client writes to it and another one flushes a second tree, on a
 * disk that is slow to force the manifest; then the process dies. The database opens again and has
 * what was acknowledged of the second tree, whatever the log says of the first.
 */
public final class DropsTrial extends ScheduleTrial {
  private static final long SLOW_NANOS = 30_000_000;

  /** To be run in instrumented code. */
  public DropsTrial() {
    super(DropsTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Tree kept = engine.createTree("kept");
    Tree dropped = engine.createTree("dropped");
    OwnedKeys keys = new OwnedKeys(1, 100);
    undisturbed(() -> keys.write(engine, List.of(kept), 0, 1));
    sim.disk().slowForces(p -> p.getFileName().toString().startsWith("manifest-"), SLOW_NANOS);
    sim.run(
        () -> writeOnce(dropped),
        () -> engine.dropTree(dropped.name()),
        () -> {
          keys.write(engine, List.of(kept), 0, 1);
          kept.flush();
        });
    sim.crash(CrashKind.PROCESS_DEATH);
    sim.disk().slowForces(path -> false, 0);
    Engine again = TinyEngine.open(sim);
    keys.get(again.tree(kept.name()), 0);
  }

  /** What a tree has in memory would keep the log from being truncated past its drop. */
  private static void writeOnce(Tree tree) {
    try {
      tree.put(new byte[1], new byte[1]);
    } catch (ClosedException e) {
      // The drop has begun.
    }
  }
}
