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
 * Two writers of batches fill a fresh tree, so that its root and its leaves split under their
 * searches; a third client gets and scans meanwhile.
 */
public final class WritersTrial implements LongConsumer {
  private static final int KEYS = 144;
  private static final int BATCH = 12;
  private static final int WRITERS = 2;
  private static final int QUESTIONS = 3;

  /** With so many batches the root is no leaf any more: so half of the schedules begin. */
  private static final int GROWN_BATCHES = 6;

  private final Schedules schedules = new Schedules(WritersTrial::world);

  @Override
  public void accept(long seed) {
    schedules.run(seed);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Tree tree = engine.createTree("main");
    OwnedKeys keys = new OwnedKeys(KEYS, 8);
    int first = TinyEngine.coin(sim, 1) ? GROWN_BATCHES : 0;
    TinyEngine.undisturbed(
        () -> {
          for (int batch = 0; batch < first; batch++) {
            write(engine, tree, keys, batch);
          }
        });
    sim.run(
        () -> writeEveryOther(engine, tree, keys, first),
        () -> writeEveryOther(engine, tree, keys, first + 1),
        () -> read(tree, keys));
    scan(tree, keys);
  }

  private static void writeEveryOther(Engine engine, Tree tree, OwnedKeys keys, int first) {
    for (int batch = first; batch < KEYS / BATCH; batch += WRITERS) {
      write(engine, tree, keys, batch);
      get(tree, keys, batch * BATCH);
    }
  }

  private static void write(Engine engine, Tree tree, OwnedKeys keys, int number) {
    WriteBatch batch = new WriteBatch();
    for (int i = number * BATCH; i < (number + 1) * BATCH; i++) {
      batch.put(tree, keys.key(i), keys.begin(i));
    }
    engine.write(batch);
    for (int i = number * BATCH; i < (number + 1) * BATCH; i++) {
      keys.acknowledge(i);
    }
  }

  private static void read(Tree tree, OwnedKeys keys) {
    for (int i = 0; i < QUESTIONS; i++) {
      for (int number = i; number < KEYS; number += 5) {
        get(tree, keys, number);
      }
      scan(tree, keys);
    }
  }

  private static void get(Tree tree, OwnedKeys keys, int number) {
    int least = keys.acknowledged(number);
    keys.check("get", number, tree.get(keys.key(number)), least);
  }

  private static void scan(Tree tree, OwnedKeys keys) {
    int[] least = keys.acknowledged();
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      Check.scan("a scan", cursor, keys, least);
    }
  }
}
