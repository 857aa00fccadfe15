package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.loam.engine.Orders.bytes;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFiles;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;
import org.loam.lsm.dataset.IndexDefinition;

/** Nothing but a close waits for the deletion of the files of dropped trees. */
@Tag("once")
class DropWaitsTest {
  private static final int RECORDS = 2000;
  private static final byte[] KEY = bytes("k");
  private static final byte[] RECORD = bytes("NO;1;red;");

  /** What one deletion of a table takes. */
  private static final long SLOW_NANOS = 1_000_000_000;

  /** What is done meanwhile takes much less. */
  private static final long PROMPT_NANOS = SLOW_NANOS / 2;

  private static final WriteOptions PROMPTLY =
      WriteOptions.DEFAULT.within(Duration.ofNanos(PROMPT_NANOS));

  /** An engine on files whose deletion takes long. */
  private static final class World {
    private final Simulation sim;
    private @Nullable Engine opened;
    private boolean deleting;

    World(Simulation sim) {
      this.sim = sim;
    }

    static void in(long seed, Consumer<World> test) {
      try (Simulation sim = Simulation.seeded(seed)) {
        World world = new World(sim);
        sim.run(() -> world.open());
        test.accept(world);
        sim.run(() -> world.engine().close());
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed, t);
      }
    }

    private void open() {
      StorageEnv env = sim.env();
      StorageEnv slow =
          new StorageEnv(slow(env.files()), env.clock(), env.waiter(), env.tasks(), env.random());
      opened =
          Engine.open(slow, sim.directory(), SmallEngine.calm().mergesWhenQuiet(false).build());
    }

    Engine engine() {
      return Objects.requireNonNull(opened);
    }

    private StorageFiles slow(StorageFiles files) {
      return (StorageFiles)
          Proxy.newProxyInstance(
              StorageFiles.class.getClassLoader(),
              new Class<?>[] {StorageFiles.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("delete")
                    && arguments[0] instanceof Path path
                    && isTable(path)) {
                  deleting = true;
                  sim.env().waiter().pause(SLOW_NANOS);
                }
                try {
                  return method.invoke(files, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    private static boolean isTable(Path path) {
      return path.toString().endsWith(".sst");
    }

    long tables() {
      return sim.disk().files().stream().filter(World::isTable).count();
    }

    Dataset create(IndexDefinition... indexes) {
      Dataset orders = engine().datasets().create(Orders.NAME, Orders.RULE, List.of(indexes));
      for (int i = 0; i < RECORDS; i += 100) {
        DatasetBatch batch = new DatasetBatch();
        for (int j = i; j < i + 100; j++) {
          batch.upsert(orders, bytes("k" + j), RECORD);
        }
        engine().datasets().write(batch);
      }
      engine().flush();
      return orders;
    }

    void createTree(String name) {
      engine().createTree(name).put(KEY, RECORD);
      engine().flush();
    }

    void awaitDeletion() {
      while (!deleting) {
        sim.env().waiter().pause(1_000_000);
      }
    }

    /** Does something when the deletion of a table has begun; it has not ended afterwards. */
    void meanwhile(Runnable action) {
      awaitDeletion();
      long begin = sim.env().clock().nanoTime();
      action.run();
      assertThat(sim.env().clock().nanoTime() - begin).isLessThan(PROMPT_NANOS);
    }
  }

  @Test
  void aWriterDoesNotWaitForTheFilesOfADroppedIndex() {
    World.in(
        1,
        world -> {
          Dataset[] orders = new Dataset[1];
          world.sim.run(() -> orders[0] = world.create(Orders.BY_COUNTRY, Orders.BY_LABEL));
          long before = world.tables();
          world.sim.run(
              () -> orders[0].dropIndex("country"),
              () -> world.meanwhile(() -> orders[0].upsert(KEY, RECORD, PROMPTLY)),
              () -> world.meanwhile(() -> world.engine().createTree("t")));
          assertThat(world.tables()).isLessThan(before);
        });
  }

  @Test
  void aWriterDoesNotWaitForTheFilesOfAnIndexThatCouldNotBeBuilt() {
    World.in(
        2,
        world -> {
          Dataset[] orders = new Dataset[1];
          world.sim.run(() -> orders[0] = world.create());
          long before = world.tables();
          int[] seen = new int[1];
          IndexDefinition failing =
              IndexDefinition.of(
                  "country",
                  Orders.BY_COUNTRY.rule(),
                  (record, keys) -> {
                    if (++seen[0] == RECORDS) {
                      world.engine().flush();
                      assertThat(world.tables()).isGreaterThan(before);
                      throw new IllegalArgumentException("planned");
                    }
                    Orders.BY_COUNTRY.extractor().extract(record, keys);
                  });
          world.sim.run(
              () ->
                  assertThatThrownBy(() -> orders[0].createIndex(failing))
                      .hasMessageContaining("planned"),
              () -> world.meanwhile(() -> orders[0].upsert(KEY, RECORD, PROMPTLY)));
          assertThat(world.tables()).isEqualTo(before);
        });
  }

  @Test
  void noTreeWaitsForTheFilesOfAnother() {
    World.in(
        3,
        world -> {
          world.sim.run(() -> world.createTree("t"));
          world.sim.run(
              () -> world.engine().dropTree("t"),
              () -> world.meanwhile(() -> world.engine().createTree("u")));
          assertThat(world.tables()).isZero();
        });
  }

  @Test
  void noTreeWaitsForTheFilesOfADroppedDataset() {
    World.in(
        4,
        world -> {
          world.sim.run(() -> world.create(Orders.BY_COUNTRY));
          world.sim.run(
              () -> world.engine().datasets().drop(Orders.NAME),
              () -> world.meanwhile(() -> world.engine().createTree(Orders.NAME)));
          assertThat(world.tables()).isZero();
        });
  }

  /** It comes between two files. */
  @Test
  void aCloseWaitsForAllFiles() {
    World.in(
        5,
        world -> {
          world.sim.run(
              () -> {
                world.createTree("t");
                world.engine().tree("t").put(KEY, KEY);
                world.engine().flush();
              });
          assertThat(world.tables()).isEqualTo(2);
          world.sim.run(
              () -> world.engine().dropTree("t"),
              () -> {
                world.awaitDeletion();
                world.engine().close();
                assertThat(world.tables()).isZero();
              });
        });
  }
}
