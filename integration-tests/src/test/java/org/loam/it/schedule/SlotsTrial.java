package org.loam.it.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.loam.cache.ReadIntent;
import org.loam.common.sim.Simulation;
import org.loam.engine.commit.WriteTerms;
import org.loam.engine.open.OpenEngine;
import org.loam.engine.operation.OperationContext;
import org.loam.engine.operation.Operations;
import org.loam.lsm.LsmTree;
import org.loam.lsm.PointRead;

/**
 * All slots of operations are taken but one, which two readers share: what belongs to it goes from
 * one to the other, and each gets the value of its own key.
 */
public final class SlotsTrial extends ScheduleTrial {
  private static final int READERS = 2;
  private static final int READS = 3;

  /** To be run in instrumented code. */
  public SlotsTrial() {
    super(SlotsTrial::world);
  }

  static void world(Simulation sim) {
    OpenEngine engine = TinyEngine.openMovable(sim);
    LsmTree tree = TinyEngine.createTree(sim, engine);
    Operations operations = engine.reads().operations();
    List<OperationContext> others = new ArrayList<>();
    sim.run(
        () ->
            undisturbed(
                () -> {
                  for (int reader = 0; reader < READERS; reader++) {
                    engine
                        .writes()
                        .committer()
                        .write(tree, key(reader), value(reader), WriteTerms.DEFAULT);
                  }
                  for (int i = 1; i < Operations.MAX_CONCURRENT; i++) {
                    others.add(operations.enter());
                  }
                }));
    sim.run(() -> read(engine, tree, 0), () -> read(engine, tree, 1));
    sim.run(
        () ->
            undisturbed(
                () -> {
                  others.forEach(operations::exit);
                  engine.close();
                }));
  }

  private static void read(OpenEngine engine, LsmTree tree, int reader) {
    for (int i = 0; i < READS; i++) {
      byte[] value =
          engine
              .reads()
              .reader()
              .read(tree, key(reader), PointRead.LATEST_PUBLISHED, ReadIntent.QUERY);
      Check.that(
          Arrays.equals(value, value(reader)),
          "reader " + reader + " got " + Arrays.toString(value));
    }
  }

  private static byte[] key(int reader) {
    return new byte[] {(byte) reader};
  }

  private static byte[] value(int reader) {
    byte[] value = new byte[10 + reader];
    Arrays.fill(value, (byte) reader);
    return value;
  }
}
