package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.config.TunerMode;
import org.loam.common.sim.CrashKind;
import org.loam.common.sim.Exploration;
import org.loam.common.sim.SimDisk;
import org.loam.common.sim.Simulation;
import org.loam.engine.notify.RecordedEvents;
import org.loam.engine.report.EventListener.MergeBegun;

/** A crash between the parts of a compaction, or within one: the next compaction goes on. */
@Tag("once")
class CompactionCrashTest {
  private static final int KEYS = 6_000;
  private static final int VALUE_BYTES = 1000;
  private static final int CRASHES = 8;
  private static final long MILLISECOND = 1_000_000;

  private static final EngineConfig CONFIG =
      EngineConfig.builder()
          .memoryTotalBytes(64 << 20)
          .pageBytes(4096)
          .durability(Durability.PROCESS)
          .writeInitialBytes(256 << 10)
          .logSegmentBytes(256 << 10)
          .logMaxBytes(16 << 20)
          .sstableBytes(256 << 10)
          .mergesWhenQuiet(false)
          .tunerMode(TunerMode.FROZEN)
          .build();

  private static byte[] key(int i) {
    return String.format(Locale.ROOT, "%08d", i).getBytes(UTF_8);
  }

  private static byte[] value(int i) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(i).nextBytes(value);
    return value;
  }

  private static Engine open(Simulation sim, RecordedEvents events) {
    return Engine.open(
        sim.env(), sim.directory(), CONFIG, OpenOptions.DEFAULT.withListener(events));
  }

  /** Many times the write memory, in several levels; the odd keys are deleted. */
  private static void fill(Simulation sim) {
    SplittableRandom random = new SplittableRandom(1);
    try (Engine engine = open(sim, new RecordedEvents())) {
      Tree tree = engine.createTree("t");
      for (int i = 0; i < 2 * KEYS; i++) {
        int k = i < KEYS ? i : random.nextInt(KEYS);
        tree.put(key(k), value(k));
        if (i % 64 == 0) {
          sim.env().waiter().pause(20 * MILLISECOND);
        }
      }
      for (int i = 1; i < KEYS; i += 2) {
        tree.delete(key(i));
      }
      assertThat(engine.statistics().trees().get(0).levels()).hasSizeGreaterThan(1);
    }
  }

  private static void check(Tree tree) {
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      for (int i = 0; i < KEYS; i += 2) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isEqualTo(key(i));
        assertThat(cursor.value()).isEqualTo(value(i));
      }
      assertThat(cursor.next()).isFalse();
    }
  }

  private static void compactWhole(Engine engine) {
    Tree tree = engine.tree("t");
    check(tree);
    tree.compact();
    var levels = engine.statistics().trees().get(0).levels();
    assertThat(levels).hasSize(1);
    assertThat(levels.get(0).entries()).isEqualTo(KEYS / 2);
    check(tree);
    assertThat(engine.verify().findings()).isEmpty();
  }

  @Test
  void theNextCompactionGoesOn() {
    SimDisk filled;
    try (Simulation sim = Simulation.exploring(1, Exploration.TURNS)) {
      sim.run(() -> fill(sim));
      filled = sim.disk();
    }
    long[] calls = new long[1];
    try (Simulation sim = Simulation.over(filled.copy(), 1)) {
      RecordedEvents events = new RecordedEvents();
      sim.run(
          () -> {
            try (Engine engine = open(sim, events)) {
              engine.tree("t").compact();
              calls[0] = sim.counters().calls();
              compactWhole(engine);
            }
          });
      assertThat(events.all(MergeBegun.class)).as("parts").hasSizeGreaterThan(2);
    }
    int crashes = 0;
    for (int i = 1; i <= CRASHES; i++) {
      crashes += crashAt(filled.copy(), i * calls[0] / (CRASHES + 1), i) ? 1 : 0;
    }
    assertThat(crashes).isGreaterThan(CRASHES / 2);
  }

  private static boolean crashAt(SimDisk disk, long call, long seed) {
    try (Simulation sim = Simulation.over(disk, seed)) {
      boolean ended =
          sim.run(
              () -> {
                sim.crashAtCall(call, CrashKind.values()[(int) (seed % CrashKind.values().length)]);
                try (Engine engine = open(sim, new RecordedEvents())) {
                  engine.tree("t").compact();
                }
              });
      if (ended) {
        sim.crash(CrashKind.PROCESS_DEATH);
      }
      sim.run(
          () -> {
            try (Engine engine = open(sim, new RecordedEvents())) {
              compactWhole(engine);
            }
          });
      return !ended;
    }
  }
}
