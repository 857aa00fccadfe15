package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.EngineConfig;
import org.loam.common.error.ClosedException;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;
import org.loam.engine.open.SmallEngine;

/** A scan that passes over very many deleted keys before its next row. */
@Tag("once")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PassedKeysTest {
  private static final int KEYS = 20_000;
  private static final int VALUE_BYTES = 400;

  /** With so many requests the scan is on its way. */
  private static final int FIRST_READS = 5;

  private static final EngineConfig CONFIG = SmallEngine.calm().mergesWhenQuiet(false).build();

  private static byte[] key(int i) {
    return String.format(Locale.ROOT, "key%05d", i).getBytes(UTF_8);
  }

  /** Records that are deleted; what deletes them is in another table. */
  private static void load(Simulation sim) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG)) {
      Tree tree = engine.createTree("t");
      for (int i = 0; i < KEYS; i++) {
        tree.put(key(i), new byte[VALUE_BYTES]);
      }
      tree.flush();
      for (int i = 0; i < KEYS; i++) {
        tree.delete(key(i));
      }
    }
  }

  private static Cursor scan(Engine engine, boolean forward) {
    ScanOptions all = ScanOptions.all();
    return engine.tree("t").scan(forward ? all : all.reverse());
  }

  /** Requests of a scan that nothing ends, with an empty cache at first. */
  private static long readsOfAll(Simulation sim, boolean forward) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), CONFIG);
        Cursor cursor = scan(engine, forward)) {
      long reads = sim.counters().calls(IoKind.READ);
      assertThat(cursor.next()).isFalse();
      return sim.counters().calls(IoKind.READ) - reads;
    }
  }

  /** The scan reads, since the cache is empty at first, and the close comes between two reads. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itDoesNotHoldUpTheCloseOfTheEngine(boolean forward) {
    try (Simulation sim = Simulation.seeded(Simulation.CALM)) {
      Engine[] engine = new Engine[1];
      Cursor[] cursor = new Cursor[1];
      long[] all = new long[1];
      sim.run(
          () -> {
            load(sim);
            all[0] = readsOfAll(sim, forward);
            engine[0] = Engine.open(sim.env(), sim.directory(), CONFIG);
            cursor[0] = scan(engine[0], forward);
          });
      long reads = sim.counters().calls(IoKind.READ);
      @Nullable Throwable[] thrown = new Throwable[1];
      long[] begun = new long[1];
      long[] ended = new long[1];
      sim.run(
          () -> {
            thrown[0] = catchThrowable(cursor[0]::next);
            ended[0] = sim.counters().calls(IoKind.READ);
          },
          () -> {
            while (sim.counters().calls(IoKind.READ) < reads + FIRST_READS) {
              sim.env().waiter().pause(1);
            }
            begun[0] = sim.counters().calls(IoKind.READ);
            engine[0].close();
          });
      assertThat(ended[0] - begun[0]).as("requests after the close").isLessThan(all[0] / 2);
      assertThat(thrown[0]).isInstanceOf(ClosedException.class).hasMessage("the engine was closed");
      cursor[0].close();
    }
  }
}
