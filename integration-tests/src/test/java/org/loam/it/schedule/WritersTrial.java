package org.loam.it.schedule;

import java.util.List;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/**
 * Two writers of batches fill a fresh tree, so that its root and its leaves split under their
 * searches; a third client gets and scans meanwhile.
 */
public final class WritersTrial extends ScheduleTrial {
  private static final int KEYS = 144;
  private static final int BATCH = 12;
  private static final int WRITERS = 2;
  private static final int QUESTIONS = 3;

  /** With so many batches the root is no leaf any more: so half of the schedules begin. */
  private static final int GROWN_BATCHES = 6;

  /** To be run in instrumented code. */
  public WritersTrial() {
    super(WritersTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Tree tree = engine.createTree("main");
    OwnedKeys keys = new OwnedKeys(KEYS, 8);
    int first = coin(sim, 1) ? GROWN_BATCHES : 0;
    undisturbed(
        () -> {
          for (int batch = 0; batch < first; batch++) {
            write(engine, tree, keys, batch);
          }
        });
    sim.run(
        () -> writeEveryOther(engine, tree, keys, first),
        () -> writeEveryOther(engine, tree, keys, first + 1),
        () -> read(tree, keys));
    keys.scan(tree);
  }

  private static void writeEveryOther(Engine engine, Tree tree, OwnedKeys keys, int first) {
    for (int batch = first; batch < KEYS / BATCH; batch += WRITERS) {
      write(engine, tree, keys, batch);
      keys.get(tree, batch * BATCH);
    }
  }

  private static void write(Engine engine, Tree tree, OwnedKeys keys, int batch) {
    keys.write(engine, List.of(tree), batch * BATCH, (batch + 1) * BATCH);
  }

  private static void read(Tree tree, OwnedKeys keys) {
    for (int i = 0; i < QUESTIONS; i++) {
      for (int number = i; number < KEYS; number += 5) {
        keys.get(tree, number);
      }
      keys.scan(tree);
    }
  }
}
