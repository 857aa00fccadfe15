package org.loam.it.schedule;

import java.util.function.LongConsumer;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;

/**
 * Versions of one key that vanish under its readers: one client writes it and another one gets it,
 * or one or two write it and another one takes snapshots.
 */
public final class VersionsTrial implements LongConsumer {
  private static final int VERSIONS = 8;
  private static final int QUESTIONS = 10;

  private final Schedules schedules = new Schedules(VersionsTrial::world);

  @Override
  public void accept(long seed) {
    schedules.run(seed);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Tree tree = engine.createTree("main");
    OwnedKeys keys = new OwnedKeys(1, 8);
    TinyEngine.undisturbed(() -> write(tree, keys));
    Runnable writer =
        () -> {
          for (int i = 0; i < VERSIONS; i++) {
            write(tree, keys);
          }
        };
    if (TinyEngine.coin(sim, 1)) {
      sim.run(writer, () -> get(tree, keys));
    } else if (TinyEngine.coin(sim, 2)) {
      sim.run(writer, () -> look(engine, tree, keys));
    } else {
      sim.run(writer, writer, () -> look(engine, tree, keys));
    }
  }

  private static void write(Tree tree, OwnedKeys keys) {
    tree.put(keys.key(0), keys.begin(0));
    keys.acknowledge(0);
  }

  private static void get(Tree tree, OwnedKeys keys) {
    for (int i = 0; i < QUESTIONS; i++) {
      int least = keys.acknowledged(0);
      keys.check("get", 0, tree.get(keys.key(0)), least);
    }
  }

  private static void look(Engine engine, Tree tree, OwnedKeys keys) {
    for (int i = 0; i < QUESTIONS; i++) {
      try (Snapshot snapshot = engine.snapshot()) {
        int first = keys.version(0, snapshot.get(tree, keys.key(0)));
        int second = keys.version(0, snapshot.get(tree, keys.key(0)));
        Check.that(
            first > 0 && first == second, "a snapshot shows version " + first + ", then " + second);
      }
    }
  }
}
