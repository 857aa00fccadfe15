package org.loam.it.schedule;

import java.util.List;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/**
 * A tree whose write memory is divided into ranges of keys. Two clients overwrite a large record
 * each, in ranges of their own, so that these are frozen and flushed one by one and side by side; a
 * third client writes a batch over three ranges again and again. Then the process dies. What was
 * acknowledged is there, although a flush has brought later writes of another range to disk.
 */
public final class RangesTrial extends ScheduleTrial {
  private static final int PREPARED = 64;

  /** Four of them fill a range, and three of these are superseded: so it is frozen. */
  private static final int LARGE_BYTES = 7000;

  private static final int LARGE_WRITES = 9;
  private static final int BATCHES = 4;

  /** To be run in instrumented code. */
  public RangesTrial() {
    super(RangesTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.openDivided(sim);
    Tree tree = engine.createTree("main");
    OwnedKeys prepared = new OwnedKeys(PREPARED, 1000);
    undisturbed(
        () -> {
          for (int number = 0; number < PREPARED; number++) {
            prepared.put(tree, number);
          }
          tree.flush();
        });
    // Reversed, the numbers 0 to 3 are one key in each quarter of all.
    OwnedKeys large = new OwnedKeys(2, LARGE_BYTES);
    OwnedKeys small = new OwnedKeys(PREPARED + 3, 8);
    sim.run(
        () -> overwrite(tree, large, 0),
        () -> overwrite(tree, large, 1),
        () -> {
          for (int i = 0; i < BATCHES; i++) {
            small.write(engine, List.of(tree), PREPARED, PREPARED + 3);
            small.get(tree, PREPARED + i % 3);
          }
        });
    sim.crash(CrashKind.PROCESS_DEATH);
    Tree again = TinyEngine.openDivided(sim).tree(tree.name());
    for (int number = 0; number < 2; number++) {
      large.get(again, number);
    }
    for (int number = PREPARED; number < PREPARED + 3; number++) {
      small.get(again, number);
    }
  }

  private static void overwrite(Tree tree, OwnedKeys large, int number) {
    for (int i = 0; i < LARGE_WRITES; i++) {
      large.put(tree, number);
    }
    large.get(tree, number);
  }
}
