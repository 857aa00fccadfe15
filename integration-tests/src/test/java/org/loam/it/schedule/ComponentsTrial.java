package org.loam.it.schedule;

import java.util.List;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/**
 * Readers of a tree whose entries move from memory to disk components and from there to others: a
 * client writes and flushes, another one compacts, a third gets and scans.
 */
public final class ComponentsTrial extends ScheduleTrial {
  private static final int KEYS = 12;
  private static final int ROUNDS = 2;
  private static final int QUESTIONS = 3;

  /** Too large for more than a few of them to be copied from memory at once. */
  private static final int VALUE_BYTES = 4000;

  /** To be run in instrumented code. */
  public ComponentsTrial() {
    super(ComponentsTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Tree tree = engine.createTree("main");
    OwnedKeys keys = new OwnedKeys(KEYS, VALUE_BYTES);
    undisturbed(
        () -> {
          write(engine, tree, keys, 0);
          tree.flush();
        });
    sim.run(
        () -> {
          for (int round = 0; round < ROUNDS; round++) {
            write(engine, tree, keys, round % 2);
            tree.flush();
          }
        },
        tree::compact,
        () -> read(tree, keys));
    read(tree, keys);
  }

  /** Writes all keys from one on, a few at a time. */
  private static void write(Engine engine, Tree tree, OwnedKeys keys, int from) {
    for (int i = from; i < KEYS; i += 4) {
      keys.write(engine, List.of(tree), i, Math.min(i + 4, KEYS));
    }
  }

  private static void read(Tree tree, OwnedKeys keys) {
    for (int i = 0; i < QUESTIONS; i++) {
      for (int number = i; number < KEYS; number += QUESTIONS) {
        keys.get(tree, number);
      }
      keys.scan(tree);
    }
  }
}
