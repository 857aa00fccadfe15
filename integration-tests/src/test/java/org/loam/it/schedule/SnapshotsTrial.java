package org.loam.it.schedule;

import java.util.List;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;

/**
 * A writer that writes the same few keys of two trees again and again, each time all of them in one
 * batch; another client takes snapshots, in which all have one version and keep it; a third one
 * gets, and flushes. Nothing else makes so many versions of a key vanish beside readers.
 */
public final class SnapshotsTrial extends ScheduleTrial {
  private static final int KEYS = 2;
  private static final int VERSIONS = 6;
  private static final int SNAPSHOTS = 3;
  private static final int QUESTIONS = 6;

  /** To be run in instrumented code. */
  public SnapshotsTrial() {
    super(SnapshotsTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    List<Tree> trees = List.of(engine.createTree("main"), engine.createTree("index"));
    OwnedKeys keys = new OwnedKeys(KEYS, 8);
    undisturbed(() -> keys.write(engine, trees, 0, KEYS));
    sim.run(
        () -> {
          for (int i = 1; i < VERSIONS; i++) {
            keys.write(engine, trees, 0, KEYS);
          }
        },
        () -> {
          for (int i = 0; i < SNAPSHOTS; i++) {
            look(engine, trees, keys);
          }
        },
        () -> get(trees, keys, engine));
    look(engine, trees, keys);
  }

  /** Twice, since a version must not change, nor go, while a snapshot is open. */
  private static void look(Engine engine, List<Tree> trees, OwnedKeys keys) {
    int least = keys.acknowledged(0);
    try (Snapshot snapshot = engine.snapshot()) {
      byte[] first = snapshot.get(trees.get(0), OwnedKeys.key(0));
      keys.check("a snapshot", 0, first, least);
      int version = keys.version(0, first);
      for (int round = 0; round < 2; round++) {
        for (Tree tree : trees) {
          for (int i = 0; i < KEYS; i++) {
            int other = keys.version(i, snapshot.get(tree, OwnedKeys.key(i)));
            Check.that(
                other == version,
                "a snapshot shows versions " + version + " and " + other + " of one batch");
          }
        }
      }
    }
  }

  private static void get(List<Tree> trees, OwnedKeys keys, Engine engine) {
    for (int i = 0; i < QUESTIONS; i++) {
      keys.get(trees.get(i / KEYS % 2), i % KEYS);
      if (i == QUESTIONS / 2) {
        engine.flush();
      }
    }
  }
}
