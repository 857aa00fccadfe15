package org.loam.it.schedule;

import java.util.function.LongConsumer;
import org.loam.common.sim.Schedules;
import org.loam.common.sim.Simulation;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;

/**
 * Readers of a tree whose entries move from memory to disk components and from there to others: a
 * client writes and flushes, another one compacts, a third gets and scans.
 */
public final class ComponentsTrial implements LongConsumer {
  private static final int KEYS = 12;
  private static final int ROUNDS = 2;
  private static final int QUESTIONS = 3;

  /** Too large for more than a few of them to be copied from memory at once. */
  private static final int VALUE_BYTES = 4000;

  private final Schedules schedules = new Schedules(ComponentsTrial::world);

  @Override
  public void accept(long seed) {
    schedules.run(seed);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Tree tree = engine.createTree("main");
    OwnedKeys keys = new OwnedKeys(KEYS, VALUE_BYTES);
    TinyEngine.undisturbed(
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
      WriteBatch batch = new WriteBatch();
      for (int j = i; j < Math.min(i + 4, KEYS); j++) {
        batch.put(tree, keys.key(j), keys.begin(j));
      }
      engine.write(batch);
      for (int j = i; j < Math.min(i + 4, KEYS); j++) {
        keys.acknowledge(j);
      }
    }
  }

  private static void read(Tree tree, OwnedKeys keys) {
    for (int i = 0; i < QUESTIONS; i++) {
      for (int number = i; number < KEYS; number += QUESTIONS) {
        int version = keys.acknowledged(number);
        keys.check("get", number, tree.get(keys.key(number)), version);
      }
      int[] least = keys.acknowledged();
      try (Cursor cursor = tree.scan(ScanOptions.all())) {
        Check.scan("a scan", cursor, keys, least);
      }
    }
  }
}
