package org.loam.it.schedule;

import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;

/**
 * Two clients put and delete keys of one leaf one by one, without a batch, each its own key; a
 * third one flushes and looks twice at each key in a snapshot, some time apart. In a SYNC database
 * a write that was acknowledged shows at once, so a client that is told too early finds its write
 * missing.
 */
public final class PutsTrial extends ScheduleTrial {
  private static final int WRITERS = 2;
  private static final int WRITES = 5;
  private static final int LOOKS = 4;
  private static final long PAUSE_NANOS = 1000;

  /** To be run in instrumented code. */
  public PutsTrial() {
    super(PutsTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Tree tree = engine.createTree("main");
    OwnedKeys keys = new OwnedKeys(WRITERS, 8);
    undisturbed(
        () -> {
          for (int number = 0; number < WRITERS; number++) {
            keys.put(tree, number);
          }
        });
    sim.run(
        () -> write(tree, keys, 0),
        () -> write(tree, keys, 1),
        () -> {
          for (int i = 0; i < LOOKS; i++) {
            look(sim, engine, tree, keys);
            tree.flush();
          }
        });
    for (int number = 0; number < WRITERS; number++) {
      keys.get(tree, number);
    }
  }

  /** Puts a key again and again, and deletes another one of its own in between. */
  private static void write(Tree tree, OwnedKeys keys, int number) {
    byte[] other = OwnedKeys.key(WRITERS + number);
    for (int i = 0; i < WRITES; i++) {
      keys.put(tree, number);
      keys.get(tree, number);
      if (i % 2 == 0) {
        tree.put(other, new byte[] {(byte) i});
        Check.that(tree.get(other) != null, "a key that was put is not there");
      } else {
        tree.delete(other);
        Check.that(tree.get(other) == null, "a key that was deleted is there");
      }
    }
  }

  private static void look(Simulation sim, Engine engine, Tree tree, OwnedKeys keys) {
    for (int number = 0; number < WRITERS; number++) {
      int least = keys.acknowledged(number);
      try (Snapshot snapshot = engine.snapshot()) {
        byte[] first = snapshot.get(tree, OwnedKeys.key(number));
        keys.check("a snapshot", number, first, least);
        int version = keys.version(number, first);
        // A write that is under way ends meanwhile, without a second switch at the right moment.
        sim.env().waiter().pause(PAUSE_NANOS);
        int second = keys.version(number, snapshot.get(tree, OwnedKeys.key(number)));
        Check.that(version == second, "a snapshot shows version " + version + ", then " + second);
      }
    }
  }
}
