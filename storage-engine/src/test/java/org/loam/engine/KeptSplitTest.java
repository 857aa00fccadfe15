package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.engine.TunedEngines.MIB;
import static org.loam.engine.TunedEngines.SECOND;
import static org.loam.engine.TunedEngines.configForUpdates;
import static org.loam.engine.TunedEngines.cycles;
import static org.loam.engine.TunedEngines.inEngine;
import static org.loam.engine.TunedEngines.key;
import static org.loam.engine.TunedEngines.update;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.env.StorageEnv;
import org.loam.common.env.StorageFile;
import org.loam.common.env.StorageFiles;
import org.loam.common.error.StorageIoException;
import org.loam.common.quiet.QuietLog;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;

/** An engine that is opened again begins with the split that its tuner had found. */
@Tag("once")
@ExtendWith(QuietLog.class)
class KeptSplitTest {
  /** Writes until write memory has become larger; returns its size. */
  private static long grown(Simulation sim, Engine engine) {
    Tree tree = engine.createTree("t");
    Random random = new Random(1);
    while (cycles(engine) < 4) {
      update(sim, tree, random);
    }
    long target = engine.statistics().memory().tuner().targetBytes();
    assertThat(target).isGreaterThan(4 * MIB);
    return target;
  }

  private static void requireTarget(Simulation sim, EngineConfig config, long bytes) {
    inEngine(
        sim,
        config,
        engine -> {
          sim.env().waiter().pause(SECOND);
          assertThat(engine.statistics().memory().tuner().targetBytes()).isEqualTo(bytes);
          assertThat(engine.statistics().memory().tuner().writeBytes()).isEqualTo(bytes);
        });
  }

  @Test
  void aSplitThatWasFoundIsKept() {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      long[] found = new long[1];
      inEngine(sim, configForUpdates().build(), engine -> found[0] = grown(sim, engine));
      requireTarget(sim, configForUpdates().build(), found[0]);
      requireTarget(sim, configForUpdates().build(), found[0]);
      requireTarget(sim, configForUpdates().tunerMode(TunerMode.FROZEN).build(), 2 * MIB);
      requireTarget(sim, configForUpdates().tunerMode(TunerMode.OBSERVE).build(), 2 * MIB);
      requireTarget(sim, configForUpdates().writeInitialBytes(3 << 20).build(), 3 * MIB);
      requireTarget(sim, configForUpdates().memoryTotalBytes(72 << 20).build(), 2 * MIB);
      requireTarget(sim, configForUpdates().build(), found[0]);
    }
  }

  /** Of the history that a crash leaves, power may have cost any part. */
  @ParameterizedTest
  @EnumSource
  void aCrashCostsAtMostTheSplit(CrashKind kind) {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      long[] found = new long[1];
      EngineConfig config = configForUpdates().build();
      assertThat(
              sim.run(
                  () -> {
                    found[0] = grown(sim, Engine.open(sim.env(), sim.directory(), config));
                    sim.crashAtStep(1, kind);
                    sim.env().waiter().pause(SECOND);
                  }))
          .isFalse();
      inEngine(
          sim,
          config,
          engine -> {
            sim.env().waiter().pause(SECOND);
            assertThat(engine.statistics().memory().tuner().targetBytes())
                .isIn(
                    kind == CrashKind.PROCESS_DEATH
                        ? List.of(found[0])
                        : List.of(found[0], 2 * MIB));
          });
    }
  }

  /** It is to be read while the engine opens: the engine does not need it. */
  @Test
  void aHistoryThatCannotBeReadStopsNothing() {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      inEngine(sim, configForUpdates().build(), engine -> grown(sim, engine));
      sim.faults()
          .add(
              Fault.of(FaultEffect.IO_ERROR)
                  .on(IoKind.READ)
                  .onPath(path -> path.toString().contains("tuner-history")));
      inEngine(
          sim,
          configForUpdates().build(),
          engine -> {
            engine.tree("t").put(key(1), new byte[10]);
            sim.env().waiter().pause(SECOND);
            assertThat(engine.health().fence()).isNull();
            assertThat(engine.statistics().memory().tuner().targetBytes()).isEqualTo(2 * MIB);
          });
      assertThat(sim.faults().fired()).isEqualTo(1);
    }
  }

  /** As on a file system that tells at the close of a file that it could not keep it. */
  @Test
  void aHistoryThatCannotBeClosedStopsNothing() {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      int[] failed = new int[1];
      assertThat(
              sim.run(
                  () -> {
                    StorageEnv env = failingAtClose(sim.env(), failed);
                    EngineConfig config = configForUpdates().build();
                    try (Engine engine = Engine.open(env, sim.directory(), config)) {
                      grown(sim, engine);
                      engine.configure("tuner.mode", "FROZEN");
                      sim.env().waiter().pause(2 * SECOND);
                      assertThat(failed[0]).isEqualTo(1);
                      assertThat(engine.health().fence()).isNull();
                      engine.configure("tuner.mode", "ADAPTIVE");
                      long before = cycles(engine);
                      sim.env().waiter().pause(10 * SECOND);
                      assertThat(cycles(engine)).isGreaterThan(before);
                      engine.tree("t").put(key(1), new byte[10]);
                    }
                  }))
          .isTrue();
    }
  }

  /** There is no heap where the history is read at the opening, or where it is written. */
  @ParameterizedTest
  @ValueSource(strings = {"read", "write"})
  void aHistoryWithoutHeapStopsNothing(String method) {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      EngineConfig config = configForUpdates().build();
      inEngine(sim, config, engine -> grown(sim, engine));
      int[] failed = new int[1];
      StorageEnv env =
          withHistory(
              sim.env(),
              called -> {
                if (called.equals(method)) {
                  failed[0]++;
                  throw new OutOfMemoryError("planned");
                }
              });
      assertThat(
              sim.run(
                  () -> {
                    try (Engine engine = Engine.open(env, sim.directory(), config)) {
                      while (cycles(engine) < 2) {
                        sim.env().waiter().pause(SECOND);
                      }
                      assertThat(engine.health().fence()).isNull();
                      engine.tree("t").put(key(1), new byte[10]);
                    }
                  }))
          .isTrue();
      assertThat(failed[0]).isPositive();
    }
  }

  /** An environment in which the close of the history fails, and is counted. */
  private static StorageEnv failingAtClose(StorageEnv env, int[] failed) {
    return withHistory(
        env,
        called -> {
          if (called.equals("close")) {
            failed[0]++;
            throw new StorageIoException("planned");
          }
        });
  }

  /**
   * An environment in which something happens in the methods of the file of the history.
   *
   * @param then is given the name of a method at its end
   */
  private static StorageEnv withHistory(StorageEnv env, Consumer<String> then) {
    BiFunction<String, Object, Object> ends =
        (method, result) -> {
          then.accept(method);
          return result;
        };
    StorageFiles files =
        told(
            StorageFiles.class,
            env.files(),
            (method, result) ->
                result instanceof StorageFile file && file.path().endsWith("tuner-history")
                    ? told(StorageFile.class, file, ends)
                    : result);
    return new StorageEnv(files, env.clock(), env.waiter(), env.tasks(), env.random());
  }

  /** Changes what the methods of an object return. */
  private static <T> T told(Class<T> type, T object, BiFunction<String, Object, Object> change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                change.apply(method.getName(), method.invoke(object, arguments))));
  }
}
