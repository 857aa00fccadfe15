package org.loam.it.schedule;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Tree;

/**
 * Two clients count one key up by compare-and-put, beside one that flushes. Each number is given
 * once, and a client that is told that the number has changed finds it changed.
 */
public final class SwapsTrial extends ScheduleTrial {
  private static final byte[] KEY = {0};
  private static final int STEPS = 6;
  private static final int FLUSHES = 5;

  /** To be run in instrumented code. */
  public SwapsTrial() {
    super(SwapsTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Tree tree = engine.createTree("main");
    undisturbed(() -> tree.put(KEY, value(0)));
    AtomicInteger given = new AtomicInteger();
    Runnable client =
        () -> {
          for (int i = 0; i < STEPS; i++) {
            given.addAndGet(count(tree));
          }
        };
    sim.run(
        client,
        client,
        () -> {
          for (int i = 0; i < FLUSHES; i++) {
            tree.flush();
          }
        });
    int found = number(tree.get(KEY));
    Check.that(found == given.get(), given + " numbers were given, the counter is at " + found);
  }

  /** One step; how many numbers it was given. */
  private static int count(Tree tree) {
    byte[] expected = tree.get(KEY);
    if (tree.compareAndPut(KEY, expected, value(number(expected) + 1))) {
      return 1;
    }
    int now = number(tree.get(KEY));
    Check.that(now > number(expected), "refused, but the counter is still at " + now);
    return 0;
  }

  private static byte[] value(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static int number(byte @Nullable [] value) {
    if (value == null) {
      throw new AssertionError("the counter is gone");
    }
    return ByteBuffer.wrap(value).getInt();
  }
}
