package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.engine.Orders.bytes;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.common.env.HookedWaiter;
import org.loam.common.env.Monitor;
import org.loam.common.env.StorageEnv;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;

/**
 * A batch that an error ends while it takes the locks of its keys leaves none of them locked. No
 * lock is made that no writer takes.
 */
class DatasetLocksTest {
  private static final byte[] KEY = bytes("k");
  private static final byte[] RECORD = bytes("NO;1;red;");

  private static final WriteOptions AT_ONCE = WriteOptions.DEFAULT.within(Duration.ZERO);

  private final Error error = new StackOverflowError();
  private boolean throwsOnce;

  /** Locks of keys of a dataset. */
  private int made;

  private StorageEnv hooked(StorageEnv env) {
    HookedWaiter waiter =
        new HookedWaiter(env.waiter()) {
          @Override
          public Monitor newMonitor(String name) {
            if (name.equals("keys of dataset 'one'")) {
              made++;
            }
            return super.newMonitor(name);
          }

          @Override
          protected void trying(String monitor) {
            if (throwsOnce && monitor.equals("keys of dataset 'two'")) {
              throwsOnce = false;
              throw error;
            }
          }
        };
    return new StorageEnv(env.files(), env.clock(), waiter, env.tasks(), env.random());
  }

  @Test
  void anErrorAtTheSecondDatasetGivesBackTheFirst() {
    Engine[] engine = new Engine[1];
    Dataset[] one = new Dataset[1];
    try (Simulation sim = Simulation.seeded(1)) {
      sim.run(
          () -> {
            engine[0] = Engine.open(hooked(sim.env()), sim.directory(), SmallEngine.calm().build());
            one[0] = engine[0].datasets().create("one", Orders.RULE, List.of());
            Dataset two = engine[0].datasets().create("two", Orders.RULE, List.of());
            DatasetBatch batch =
                new DatasetBatch().upsert(one[0], KEY, RECORD).upsert(two, KEY, RECORD);
            throwsOnce = true;
            assertThatThrownBy(() -> engine[0].datasets().write(batch)).isSameAs(error);
          });
      // Another thread: a monitor lets its owner in again.
      sim.run(
          () -> {
            one[0].upsert(KEY, RECORD, AT_ONCE);
            assertThat(one[0].get(KEY)).isEqualTo(RECORD);
            engine[0].close();
          });
    }
  }

  @Test
  void anIndexThatComesAndGoesLeavesNoLocks() {
    try (Simulation sim = Simulation.seeded(2)) {
      sim.run(
          () -> {
            Engine engine =
                Engine.open(hooked(sim.env()), sim.directory(), SmallEngine.calm().build());
            Dataset one = engine.datasets().create("one", Orders.RULE, List.of());
            one.createIndex(Orders.BY_COUNTRY);
            one.dropIndex("country");
            assertThat(made).isZero();
            one.upsert(KEY, RECORD);
            one.createIndex(Orders.BY_COUNTRY);
            one.dropIndex("country");
            engine.datasets().drop("one");
            assertThat(made).isOne();
            engine.close();
          });
    }
  }
}
