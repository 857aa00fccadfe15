package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.cache.frame.FrameCache;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.config.WriteScheme;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.TaskRunner;
import org.loam.common.error.FencedException;
import org.loam.common.error.StorageException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.report.EventListener;

/**
 * No background thread ends unnoticed: its work goes on, or the engine is fenced with the cause.
 */
@Tag("once")
@ExtendWith(QuietLog.class)
class BackgroundThreadsTest {
  private static final int KEYS = 2_000;

  private static final int[] TURNS = {1, 4};
  private static final String MERGES_MEMORY = "loam-memory-merge";

  private static EngineConfig config() {
    // So much memory that there are buffers to read ahead and that pages are touched, and tables so
    // long that scans read ahead.
    return EngineSimulationTest.config(Durability.SYNC).toBuilder()
        .memoryTotalBytes(192 << 20)
        .sstableBytes(4 << 20)
        .tunerMode(TunerMode.ADAPTIVE)
        .build();
  }

  private static EngineConfig config(String thread) {
    // Of another scheme no memory is merged.
    return thread.equals(MERGES_MEMORY)
        ? config().toBuilder().writeScheme(WriteScheme.LEVELS).build()
        : config();
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private static void load(Simulation sim, int keys) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
      Tree tree = engine.createTree("t");
      put(tree, keys);
      engine.flush();
      tree.compact();
    }
  }

  private static void put(Tree tree, int keys) {
    for (int i = 0; i < keys; i++) {
      tree.put(key(i), new byte[900]);
    }
  }

  /** Gives every background thread something to do. */
  private static void work(StorageEnv env, Engine engine) {
    Tree tree = engine.tree("t");
    scan(env, tree);
    put(tree, KEYS);
    engine.flush();
    tree.compact();
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add(key(i));
    }
    tree.getAll(keys);
    moveMemory(env, engine);
  }

  /** To the writes, and back to the cache. */
  private static void moveMemory(StorageEnv env, Engine engine) {
    long own = engine.open().memory().arbiter().ownBytes();
    for (long bytes : new long[] {own + (1 << 20), own}) {
      engine.open().memoryMoves().setTarget(bytes, () -> true);
      env.waiter().pause(1_000_000_000);
    }
  }

  private static int scan(StorageEnv env, Tree tree) {
    int rows = 0;
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      while (cursor.next()) {
        rows++;
        // A program that shows rows takes time, in which others run.
        env.waiter().pause(1_000);
      }
    }
    return rows;
  }

  /** What the engine says to a writer after a background thread has thrown. */
  private static FencedException fencedBy(OneThrow fault, StorageEnv env, Engine engine) {
    try {
      for (int round = 0; round < 5 && !fault.hasHappened(); round++) {
        work(env, engine);
      }
      assertThat(fault.hasHappened()).as("thrown").isTrue();
      env.waiter().pause(1_000_000);
      engine.tree("t").put(key(0), key(0));
      throw new AssertionError("not fenced");
    } catch (FencedException e) {
      return e;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "loam-flush",
        "loam-merge",
        "loam-log-commit",
        "loam-log-segments",
        "loam-events",
        "loam-read-0",
        "loam-read-ahead",
        "loam-tuner",
        "loam-touch",
        "loam-memory",
        MERGES_MEMORY
      })
  void whatEscapesAThreadFencesTheEngine(String thread) {
    for (int turn : TURNS) {
      EngineConfig config = config(thread);
      requireFenced(config, new OneThrow(thread, turn, new IllegalStateException("planned")));
      requireFenced(config, new OneThrow(thread, turn, new OutOfMemoryError("planned")));
    }
  }

  private static void requireFenced(EngineConfig config, OneThrow fault) {
    try (Simulation sim = Simulation.seeded(5)) {
      sim.run(
          () -> {
            load(sim, KEYS);
            StorageEnv env = fault.in(sim.env());
            OpenOptions options = OpenOptions.DEFAULT.withListener(new EventListener() {});
            try (Engine engine = Engine.open(env, sim.directory(), config, options)) {
              FencedException e = fencedBy(fault, sim.env(), engine);
              assertThat(fault.isCauseOf(e)).as("cause of %s", e).isTrue();
            } catch (StorageException e) {
              assertThat(fault.isCauseOf(e)).as("open or close: %s", e).isTrue();
            }
          });
      sim.run(() -> Engine.open(sim.env(), sim.directory(), config()).close());
    }
  }

  /** Reading ahead may fail: a reader that needs the page reads it. */
  @Test
  void aReadAheadThatThrowsIsGivenUpAndTheNextIsMade() {
    try (Simulation sim = Simulation.seeded(6)) {
      sim.run(
          () -> {
            load(sim, 4 * KEYS);
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              Set<String> readers = new HashSet<>();
              // More than there are threads.
              int[] left = {2 * FrameCache.READ_AHEAD_THREADS};
              sim.faults().add(throwInReadAhead(readers, left));
              assertThat(scan(sim.env(), engine.tree("t"))).isEqualTo(4 * KEYS);
              sim.faults().clear();
              assertThat(left[0]).as("throws left").isZero();
              assertThat(readers).as("readers after the last throw").isNotEmpty();
              engine.tree("t").put(key(1), key(1));
            }
          });
    }
  }

  /** The process can have no thread more: reads and memory do without those that only help. */
  @ParameterizedTest
  @ValueSource(strings = {"loam-read", "loam-read-1", "loam-read-ahead-1", "loam-touch"})
  void noReadFailsForLackOfAThread(String refused) {
    try (Simulation sim = Simulation.seeded(7)) {
      sim.run(
          () -> {
            load(sim, 4 * KEYS);
            Set<String> names = new HashSet<>();
            try (Engine engine =
                Engine.open(refusing(sim.env(), refused, names), sim.directory(), config())) {
              Tree tree = engine.tree("t");
              assertThat(scan(sim.env(), tree)).isEqualTo(4 * KEYS);
              List<byte[]> keys = IntStream.range(0, 64).mapToObj(i -> key(i)).toList();
              assertThat(tree.getAll(keys)).hasSize(64).doesNotContainNull();
            }
            assertThat(names).as("refused").isNotEmpty();
          });
      assertThat(sim.liveBytes()).isZero();
    }
  }

  private static StorageEnv refusing(StorageEnv env, String beginning, Set<String> refused) {
    TaskRunner tasks =
        (name, body) -> {
          if (name.startsWith(beginning)) {
            refused.add(name);
            throw new OutOfMemoryError("unable to create native thread");
          }
          return env.tasks().start(name, body);
        };
    return new StorageEnv(env.files(), env.clock(), env.waiter(), tasks, env.random());
  }

  private static Fault throwInReadAhead(Set<String> readers, int[] left) {
    return Fault.of(FaultEffect.IO_ERROR)
        .on(IoKind.READ)
        .where(
            call -> {
              String reader = Thread.currentThread().getName();
              if (reader.contains("read-ahead") && left[0]-- > 0) {
                throw new OutOfMemoryError("planned");
              }
              left[0] = Math.max(0, left[0]);
              if (reader.contains("read-ahead")) {
                readers.add(reader);
              }
              return false;
            });
  }
}
