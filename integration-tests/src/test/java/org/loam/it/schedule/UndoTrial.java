package org.loam.it.schedule;

import org.jspecify.annotations.Nullable;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/**
 * An engine below the log of a host: one client writes a key and takes the write back, again and
 * again; another one swaps by compare-and-put what the first one has written, against the host's
 * contract, and a third one counts a key of the same leaf up.
 *
 * <p>A swap that is told to be made came before the undo, which then took the swap back and not the
 * write. So no swap is there at the end.
 */
public final class UndoTrial extends ScheduleTrial {
  private static final byte[] KEY = {1};
  private static final byte[] COUNTER = {2};
  private static final byte[] NONE = {0};
  private static final byte SWAPPED = -1;
  private static final int WRITES = 4;
  private static final int SWAPS = 6;
  private static final int STEPS = 3;

  /** To be run in instrumented code. */
  public UndoTrial() {
    super(UndoTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.openHosted(sim);
    Tree tree = engine.createTree("main");
    boolean isNew = coin(sim, 1);
    undisturbed(
        () -> {
          tree.put(COUNTER, NONE);
          if (!isNew) {
            tree.put(KEY, NONE);
          }
        });
    sim.run(() -> writeAndUndo(tree), () -> swap(tree), () -> count(tree));
    Check.that(value(tree.get(KEY)) == 0, "a swap is there whose expected value was undone");
    Check.that(value(tree.get(COUNTER)) == STEPS, "the counter is at " + value(tree.get(COUNTER)));
  }

  private static void writeAndUndo(Tree tree) {
    for (byte i = 1; i <= WRITES; i++) {
      tree.put(KEY, new byte[] {i});
      byte found = i;
      do {
        byte before = found;
        Check.that(tree.host().undo(KEY), "a write is not there any more");
        found = value(tree.get(KEY));
        Check.that(found != 0 || before == i, "what was swapped had been undone");
        // A swap came first, and was taken back in the place of the write; perhaps another one
        // came after that.
      } while (found != 0);
    }
  }

  private static void swap(Tree tree) {
    for (int i = 0; i < SWAPS; i++) {
      byte[] seen = tree.get(KEY);
      if (value(seen) > 0) {
        tree.compareAndPut(KEY, seen, new byte[] {SWAPPED});
      }
    }
  }

  private static void count(Tree tree) {
    for (byte i = 0; i < STEPS; i++) {
      Check.that(
          tree.compareAndPut(COUNTER, new byte[] {i}, new byte[] {(byte) (i + 1)}),
          "a counter with one writer was changed by another one");
    }
  }

  private static byte value(byte @Nullable [] value) {
    return value == null ? 0 : value[0];
  }
}
