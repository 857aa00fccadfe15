package org.loam.it.schedule;

import java.util.ArrayList;
import java.util.List;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.Dataset;
import org.loam.engine.Engine;
import org.loam.engine.Tree;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * Trees that are flushed together while a client writes to most of them and another one drops two,
 * those of a dataset; then the process dies. Each tree that is left has what was acknowledged,
 * whatever the edit of the group and its truncation of the log say.
 */
public final class GroupsTrial extends ScheduleTrial {
  private static final int TREES = 2;
  private static final int KEYS = 2;
  private static final int ROUNDS = 2;

  /** To be run in instrumented code. */
  public GroupsTrial() {
    super(GroupsTrial::world);
  }

  static void world(Simulation sim) {
    Engine engine = TinyEngine.open(sim);
    Dataset dropped =
        engine
            .datasets()
            .create("dropped", "v1", List.of(IndexDefinition.of("first", "v1", DatasetTrial::key)));
    List<Tree> trees = new ArrayList<>();
    List<OwnedKeys> keys = new ArrayList<>();
    undisturbed(
        () -> {
          dropped.upsert(new byte[1], new byte[2]);
          for (int i = 0; i < TREES; i++) {
            trees.add(engine.createTree("tree" + i));
            keys.add(new OwnedKeys(KEYS, 100));
            keys.get(i).write(engine, List.of(trees.get(i)), 0, KEYS);
          }
        });
    sim.run(
        engine::flush,
        () -> {
          for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < TREES; i++) {
              keys.get(i).write(engine, List.of(trees.get(i)), round, round + 1);
            }
          }
        },
        () -> engine.datasets().drop(dropped.name()),
        trees.get(1)::flush);
    sim.crash(CrashKind.PROCESS_DEATH);
    Engine again = TinyEngine.open(sim);
    for (int i = 0; i < TREES; i++) {
      for (int number = 0; number < KEYS; number++) {
        keys.get(i).get(again.tree(trees.get(i).name()), number);
      }
    }
  }
}
