package org.loam.it.schedule;

import java.util.List;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;

/**
 * Versions of one key that vanish under its readers: one client writes it and another one gets it,
 * or one or two write it and another one takes snapshots.
 */
public final class VersionsTrial extends ScheduleTrial {
  private static final int VERSIONS = 8;
  private static final int QUESTIONS = 10;

  /** To be run in instrumented code. */
  public VersionsTrial() {
    super(VersionsTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Tree tree = engine.createTree("main");
    OwnedKeys keys = new OwnedKeys(1, 8);
    Runnable write = () -> keys.write(engine, List.of(tree), 0, 1);
    undisturbed(write);
    Runnable writer =
        () -> {
          for (int i = 0; i < VERSIONS; i++) {
            write.run();
          }
        };
    if (coin(sim, 1)) {
      sim.run(writer, () -> get(tree, keys));
    } else if (coin(sim, 2)) {
      sim.run(writer, () -> look(engine, tree, keys));
    } else {
      sim.run(writer, writer, () -> look(engine, tree, keys));
    }
  }

  private static void get(Tree tree, OwnedKeys keys) {
    for (int i = 0; i < QUESTIONS; i++) {
      keys.get(tree, 0);
    }
  }

  private static void look(Engine engine, Tree tree, OwnedKeys keys) {
    for (int i = 0; i < QUESTIONS; i++) {
      try (Snapshot snapshot = engine.snapshot()) {
        int first = keys.version(0, snapshot.get(tree, OwnedKeys.key(0)));
        int second = keys.version(0, snapshot.get(tree, OwnedKeys.key(0)));
        Check.that(
            first > 0 && first == second, "a snapshot shows version " + first + ", then " + second);
      }
    }
  }
}
