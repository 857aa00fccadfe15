package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.HookedWaiter;
import org.loam.common.env.Monitor;
import org.loam.common.env.NanoClock;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.ThreadlessFiles;
import org.loam.common.env.Waiter;
import org.loam.common.error.ClosedException;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Simulation;
import org.loam.engine.notify.RecordedEvents;

/** The heap is exhausted in the middle of something, of which nothing may be left half done. */
@Tag("once")
@ExtendWith(QuietLog.class)
class ExhaustedHeapTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);

  /** Has no memory for a monitor, when a monitor is given back, or for a look at the clock. */
  private static final class Heap extends HookedWaiter {
    private @Nullable String exhaustedAt;
    private @Nullable Thread thread;

    Heap(Waiter waiter) {
      super(waiter);
    }

    StorageEnv in(StorageEnv env) {
      NanoClock clock =
          () -> {
            meet("clock");
            return env.clock().nanoTime();
          };
      return new StorageEnv(env.files(), clock, this, env.tasks(), env.random());
    }

    /** Calls something that meets a monitor, or the clock, for which there is no memory. */
    void exhausted(String monitor, ThrowingCallable call) {
      exhaustedAt = monitor;
      thread = Thread.currentThread();
      assertThatThrownBy(call).isInstanceOf(OutOfMemoryError.class);
      exhaustedAt = null;
    }

    @Override
    public Monitor newMonitor(String name) {
      meet(name);
      return super.newMonitor(name);
    }

    @Override
    protected void givenBack(String monitor) {
      meet(monitor);
    }

    private void meet(String monitor) {
      if (exhaustedAt != null
          && monitor.startsWith(exhaustedAt)
          && Thread.currentThread() == thread) {
        throw new OutOfMemoryError("planned");
      }
    }
  }

  private interface Body {
    void run(Heap heap, Engine engine);
  }

  private static void inEngine(Simulation sim, Body body) {
    assertThat(
            sim.run(
                () -> {
                  Heap heap = new Heap(sim.env().waiter());
                  EngineConfig config =
                      EngineSimulationTest.config(Durability.SYNC).toBuilder().bulkLoads(1).build();
                  OpenOptions options = OpenOptions.DEFAULT.withListener(new RecordedEvents());
                  try (Engine engine =
                      Engine.open(heap.in(sim.env()), sim.directory(), config, options)) {
                    body.run(heap, engine);
                  }
                }))
        .isTrue();
  }

  @Test
  void aTreeThatCouldNotBeMadeIsCreatedLater() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          (heap, engine) -> {
            heap.exhausted("install lock of tree", () -> engine.createTree("t"));
            assertThat(engine.trees()).isEmpty();
            engine.createTree("t").put(KEY, KEY);
          });
      inEngine(
          sim,
          (heap, engine) -> {
            assertThat(engine.trees()).hasSize(1);
            assertThat(engine.tree("t").get(KEY)).isEqualTo(KEY);
          });
    }
  }

  /** The trees of the dataset are in the manifest then. */
  @Test
  void aDatasetThatCouldNotBeMadeIsNotCreatedTwice() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          (heap, engine) -> {
            heap.exhausted(
                "changes of dataset", () -> engine.datasets().create("d", "rule", List.of()));
            assertThatThrownBy(() -> engine.datasets().create("d", "rule", List.of()))
                .isInstanceOf(FencedException.class);
          });
      inEngine(
          sim,
          (heap, engine) -> {
            assertThat(engine.datasets().has("d")).isTrue();
            engine.datasets().open("d", "rule", List.of());
          });
    }
  }

  /** The tree is in the manifest then, and the log is not told yet. */
  @Test
  void aTreeThatWasPerhapsMadeIsNotCreatedTwice() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          (heap, engine) -> {
            heap.exhausted("commit latch", () -> engine.createTree("t"));
            assertThatThrownBy(() -> engine.createTree("t")).isInstanceOf(FencedException.class);
          });
      inEngine(sim, (heap, engine) -> assertThat(engine.trees()).hasSize(1));
    }
  }

  /** A flush and the close would wait for a tree that is marked and stays. */
  @Test
  void aTreeWhoseDropFailedAtItsBeginningIsAsBefore() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          (heap, engine) -> {
            Tree tree = engine.createTree("t");
            tree.put(KEY, KEY);
            heap.exhausted("commit latch", () -> engine.dropTree("t"));
            assertThat(tree.get(KEY)).isEqualTo(KEY);
            tree.put(KEY, new byte[1]);
            tree.flush();
            assertThat(tree.lsm().hasFrozen()).isFalse();
          });
    }
  }

  /** Its tree is gone then: a writer that met it would be refused for ever. */
  @Test
  void anIndexWhoseDropFailedAtItsEndIsGone() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          (heap, engine) -> {
            Dataset orders =
                engine.datasets().create(Orders.NAME, Orders.RULE, List.of(Orders.BY_COUNTRY));
            heap.exhausted("background progress", () -> orders.dropIndex("country"));
            assertThat(engine.hasTree("orders/country")).isFalse();
            orders.upsert(KEY, Orders.bytes("NO;1;red;"));
            assertThat(engine.verify().findings()).isEmpty();
            heap.exhausted("background progress", () -> engine.datasets().drop(Orders.NAME));
            assertThat(engine.datasets().has(Orders.NAME)).isFalse();
            engine.datasets().create(Orders.NAME, Orders.RULE, List.of());
          });
    }
  }

  /** The edit is on disk then: what is written to the tree from then on would be lost with it. */
  @Test
  void aTreeThatIsDroppedTakesNoWritesAfterAFault() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          (heap, engine) -> {
            Tree tree = engine.createTree("t");
            Tree other = engine.createTree("u");
            tree.put(KEY, KEY);
            other.put(KEY, KEY);
            heap.exhausted("install lock of tree", () -> engine.dropTree("t"));
            assertThatThrownBy(() -> tree.put(KEY, new byte[1]))
                .isInstanceOf(StorageException.class);
            assertThatThrownBy(() -> other.put(KEY, new byte[1]))
                .isInstanceOf(FencedException.class);
            assertThatThrownBy(() -> tree.get(KEY)).isInstanceOf(ClosedException.class);
          });
      inEngine(
          sim,
          (heap, engine) -> {
            assertThat(engine.hasTree("t")).isFalse();
            assertThat(engine.tree("u").get(KEY)).isEqualTo(KEY);
          });
    }
  }

  /** The edit may be on disk: what is written to the tree from then on would be lost with it. */
  @Test
  void aTreeThatWasPerhapsDroppedTakesNoWrites() {
    try (Simulation sim = Simulation.seeded(1)) {
      EngineConfig config = EngineSimulationTest.config(Durability.SYNC);
      assertThat(
              sim.run(
                  () -> {
                    ThreadlessFiles files = new ThreadlessFiles("manifest-");
                    try (Engine engine =
                        Engine.open(files.in(sim.env()), sim.directory(), config)) {
                      Tree tree = engine.createTree("t");
                      files.exhausted(true);
                      assertThatThrownBy(() -> engine.dropTree("t"))
                          .isInstanceOf(OutOfMemoryError.class);
                      files.exhausted(false);
                      assertThatThrownBy(() -> tree.put(KEY, KEY))
                          .isInstanceOf(FencedException.class);
                    }
                  }))
          .isTrue();
    }
  }

  @Test
  void aLoadThatCouldNotBeginIsBegunLater() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          (heap, engine) -> {
            Tree tree = engine.createTree("t");
            heap.exhausted("events", tree::bulkLoad);
            tree.bulkLoad().close();
            tree.put(KEY, KEY);
          });
    }
  }

  /** The heap ends when the choice is recorded, or when the threads that flush are to be woken. */
  @ParameterizedTest
  @ValueSource(strings = {"clock", "commit latch"})
  void whatAFailedFlushHasFrozenIsFlushedByTheNextOne(String exhausted) {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          (heap, engine) -> {
            Tree tree = engine.createTree("t");
            putAndRest(sim, tree, 1);
            heap.exhausted(exhausted, engine::flush);
            engine.flush();
            putAndRest(sim, tree, 2);
            heap.exhausted(exhausted, tree::flush);
            tree.flush();
            putAndRest(sim, tree, 3);
            // The close flushes it.
            heap.exhausted(exhausted, engine::flush);
          });
      inEngine(
          sim, (heap, engine) -> assertThat(engine.tree("t").get(KEY)).isEqualTo(new byte[] {3}));
    }
  }

  /** Until the threads that flush have looked for work and wait for more. */
  private static void putAndRest(Simulation sim, Tree tree, int value) {
    tree.put(KEY, new byte[] {(byte) value});
    sim.env().waiter().pause(10_000_000_000L);
  }

  /** The tree would take no writes before the next open. */
  @Test
  void aLoadThatFailedAtItsBeginningIsBegunLater() {
    try (Simulation sim = Simulation.seeded(1)) {
      inEngine(
          sim,
          (heap, engine) -> {
            Tree tree = engine.createTree("t");
            heap.exhausted("commit latch", tree::bulkLoad);
            try (BulkLoad load = tree.bulkLoad()) {
              load.add(KEY, KEY);
              // Another one that is refused does not end this one.
              heap.exhausted("commit latch", tree::bulkLoad);
              assertThatThrownBy(() -> tree.put(KEY, KEY))
                  .isInstanceOf(IllegalStateException.class);
              load.commit();
            }
            tree.put(KEY, KEY);
          });
    }
  }
}
