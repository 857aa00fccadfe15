package org.loam.it.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.engine.WriteOptions;

/**
 * Write memory that is divided among active datasets. Three clients write to a tree each, which
 * take one place from each other, or fill one half of their shares before the other half was
 * flushed; each of them also writes a batch to all trees, more than there are places. Every write
 * comes to its turn. Then the process dies, and what was acknowledged is there.
 */
public final class PlacesTrial extends ScheduleTrial {
  private static final int CLIENTS = 3;

  /** Three of them fill half of a small share. */
  private static final int LARGE_BYTES = 6000;

  private static final int WRITES = 7;

  /** Many times what the flushes take that a write may have to wait for. */
  private static final WriteOptions IN_TIME = WriteOptions.DEFAULT.within(Duration.ofSeconds(2));

  /** To be run in instrumented code. */
  public PlacesTrial() {
    super(PlacesTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.openStatic(sim);
    List<Tree> trees = new ArrayList<>();
    List<OwnedKeys> keys = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      trees.add(engine.createTree("tree" + i));
      keys.add(new OwnedKeys(2, LARGE_BYTES, IN_TIME));
    }
    sim.run(
        () -> write(engine, trees, keys, 0),
        () -> write(engine, trees, keys, 1),
        () -> write(engine, trees, keys, 2));
    sim.crash(CrashKind.PROCESS_DEATH);
    Engine again = TinyEngine.openStatic(sim);
    for (int i = 0; i < CLIENTS; i++) {
      keys.get(i).get(again.tree(trees.get(i).name()), 0);
    }
  }

  private static void write(Engine engine, List<Tree> trees, List<OwnedKeys> keys, int client) {
    for (int i = 0; i < WRITES; i++) {
      keys.get(client).put(trees.get(client), 0);
      if (i == client + 2) {
        OwnedKeys others = new OwnedKeys(64, 10, IN_TIME);
        others.write(engine, trees, 16 + client, 17 + client);
        others.get(trees.get(client), 16 + client);
      }
    }
    keys.get(client).get(trees.get(client), 0);
  }
}
