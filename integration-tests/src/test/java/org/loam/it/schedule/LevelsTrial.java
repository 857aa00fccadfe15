package org.loam.it.schedule;

import java.util.List;
import java.util.function.Function;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;

/**
 * A tree whose write memory has levels of runs. Two clients overwrite a large record each, so that
 * what takes writes is often full: a thread merges it in memory, and when the log is too long the
 * oldest run is flushed. A third client writes a batch over three keys again and again, and a
 * fourth reads it through snapshots. Then the process dies. What was acknowledged is there,
 * although a flush has brought a part of it to disk.
 */
public final class LevelsTrial extends ScheduleTrial {
  /** The clients' large records have the numbers below, the batch has those from the end on. */
  private static final int PREPARED = 2;

  private static final int PREPARED_END = 12;
  private static final int BATCH_END = PREPARED_END + 3;
  private static final int LARGE_BYTES = 5000;
  private static final int LARGE_WRITES = 12;
  private static final int BATCHES = 4;
  private static final int LOOKS = 3;

  /** To be run in instrumented code. */
  public LevelsTrial() {
    super(LevelsTrial::world);
  }

  static void world(Simulation sim) {
    world(sim, TinyEngine::openLevelled);
  }

  /**
   * The same with another structure that is merged in memory.
   *
   * @param open opens the engine, also after the crash
   */
  static void world(Simulation sim, Function<Simulation, Engine> open) {
    Engine engine = open.apply(sim);
    Tree tree = engine.createTree("main");
    OwnedKeys prepared = new OwnedKeys(PREPARED_END, 1000);
    OwnedKeys batch = new OwnedKeys(BATCH_END, 8);
    undisturbed(
        () -> {
          for (int number = PREPARED; number < PREPARED_END; number++) {
            prepared.put(tree, number);
          }
          batch.write(engine, List.of(tree), PREPARED_END, BATCH_END);
        });
    OwnedKeys large = new OwnedKeys(PREPARED, LARGE_BYTES);
    sim.run(
        () -> overwrite(tree, large, 0),
        () -> overwrite(tree, large, 1),
        () -> {
          for (int i = 0; i < BATCHES; i++) {
            batch.write(engine, List.of(tree), PREPARED_END, BATCH_END);
          }
        },
        () -> {
          for (int i = 0; i < LOOKS; i++) {
            look(engine, tree, batch);
            prepared.get(tree, PREPARED + i);
          }
        });
    sim.crash(CrashKind.PROCESS_DEATH);
    Tree again = open.apply(sim).tree(tree.name());
    for (int number = 0; number < PREPARED; number++) {
      large.get(again, number);
    }
    for (int number = PREPARED; number < PREPARED_END; number++) {
      prepared.get(again, number);
    }
    for (int number = PREPARED_END; number < BATCH_END; number++) {
      batch.get(again, number);
    }
  }

  private static void overwrite(Tree tree, OwnedKeys large, int number) {
    for (int i = 0; i < LARGE_WRITES; i++) {
      large.put(tree, number);
    }
    large.get(tree, number);
  }

  /** A snapshot shows one version of the batch, and twice the same. */
  private static void look(Engine engine, Tree tree, OwnedKeys batch) {
    try (Snapshot snapshot = engine.snapshot()) {
      byte[] first = snapshot.get(tree, OwnedKeys.key(PREPARED_END));
      int version = batch.version(PREPARED_END, first);
      for (int number = BATCH_END - 1; number >= PREPARED_END; number--) {
        int other = batch.version(number, snapshot.get(tree, OwnedKeys.key(number)));
        Check.that(
            other == version,
            "a snapshot shows versions " + version + " and " + other + " of one batch");
      }
    }
  }
}
