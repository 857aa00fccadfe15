package org.loam.it.schedule;

import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/**
 * A tree with several ranges of keys below the log of a host, which freezes all of them, writes
 * them again, and freezes them again while the first ones are on their way to disk. Then it writes
 * in a transaction that does not end. The process dies when one of the two flushes has ended.
 *
 * <p>Everything that was written before that flush is there, and nothing of the transaction.
 */
public final class HostFlushTrial extends ScheduleTrial {
  private static final int KEYS = 48;
  private static final int VALUE_BYTES = 2000;

  /** To be run in instrumented code. */
  public HostFlushTrial() {
    super(HostFlushTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.openHostedDivided(sim);
    Tree tree = engine.createTree("main");
    undisturbed(
        () -> {
          put(tree, 1);
          tree.flush();
          put(tree, 2);
        });
    int ended = coin(sim, 1) ? 2 : 3;
    sim.run(
        () -> {
          long first = tree.host().beginFlush();
          undisturbed(() -> put(tree, 3));
          long second = tree.host().beginFlush();
          undisturbed(() -> put(tree, 4));
          tree.host().awaitFlushed(ended == 2 ? first : second);
        });
    sim.crash(CrashKind.PROCESS_DEATH);
    Tree again = TinyEngine.openHostedDivided(sim).tree(tree.name());
    for (int number = 0; number < KEYS; number++) {
      byte[] found = again.get(OwnedKeys.key(number));
      int version = found == null ? 0 : found[0];
      Check.that(
          version >= ended && version <= 3,
          "key " + number + " is at version " + version + " after flush " + ended);
    }
  }

  private static void put(Tree tree, int version) {
    byte[] value = new byte[VALUE_BYTES];
    value[0] = (byte) version;
    for (int number = 0; number < KEYS; number++) {
      tree.put(OwnedKeys.key(number), value);
    }
  }
}
