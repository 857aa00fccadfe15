package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Fault;
import org.loam.common.sim.FaultEffect;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;

/** A scan that says how far it goes is read in few requests, and not much more than it shows. */
@Tag("once")
class ScanReadAheadTest {
  private static final int KEYS = 6_000;
  private static final int VALUE_BYTES = 1_000;
  private static final int ROWS = 100;

  /** A page of 8 KiB holds seven or eight records. */
  private static final int LEAVES = ROWS / 8;

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(128 << 20)
        .durability(Durability.PROCESS)
        .pageBytes(8 << 10)
        .writeInitialBytes(8 << 20)
        .logSegmentBytes(256 << 10)
        .logMaxBytes(8 << 20)
        .build();
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private record Cost(long requests, long pages) {}

  /** What reading the rows from disk takes once the way to them is in the cache. */
  private static Cost cost(Simulation sim, Engine engine, ScanOptions options) {
    Tree tree = engine.tree("t");
    tree.get(key(0));
    tree.get(key(KEYS - 1));
    long reads = sim.counters().calls(IoKind.READ);
    long misses = engine.statistics().cache().misses().get(AccessClass.QUERY);
    try (Cursor cursor = tree.scan(options)) {
      for (int i = 0; i < ROWS; i++) {
        assertThat(cursor.next()).isTrue();
      }
    }
    return new Cost(
        sim.counters().calls(IoKind.READ) - reads,
        engine.statistics().cache().misses().get(AccessClass.QUERY) - misses);
  }

  /** A scan copies out of memory what it expects to need: here it needs much more, or nothing. */
  @Test
  void memoryMayHaveMoreOrLessThanItsShare() {
    try (Simulation sim = Simulation.seeded(12)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              Tree tree = engine.createTree("t");
              for (int i = 0; i < KEYS; i++) {
                tree.put(key(i), new byte[VALUE_BYTES / 10]);
              }
              engine.flush();
              for (int i = KEYS; i < KEYS + 1500; i++) {
                tree.put(key(i), new byte[] {(byte) i});
              }
              for (int i = KEYS + 3; i < KEYS + 1500; i += 7) {
                tree.delete(key(i));
              }
              for (long limit : new long[] {10, 900, Long.MAX_VALUE}) {
                ScanOptions some = ScanOptions.all().limit(limit);
                assertThat(shown(tree, some.from(key(KEYS - 50))))
                    .isEqualTo(expected(KEYS - 50, KEYS + 1500, 1, limit));
                assertThat(shown(tree, some.from(key(KEYS - 900)).to(key(KEYS + 700)).reverse()))
                    .isEqualTo(expected(KEYS + 699, KEYS - 901, -1, limit));
                assertThat(shown(tree, some.to(key(KEYS - 900))))
                    .isEqualTo(expected(0, KEYS - 900, 1, limit));
              }
            }
          });
    }
  }

  private static List<String> shown(Tree tree, ScanOptions options) {
    List<String> keys = new ArrayList<>();
    try (Cursor cursor = tree.scan(options)) {
      while (cursor.next()) {
        keys.add(new String(cursor.key(), UTF_8));
      }
    }
    return keys;
  }

  private static List<String> expected(int from, int to, int step, long limit) {
    List<String> keys = new ArrayList<>();
    for (int i = from; i != to && keys.size() < limit; i += step) {
      if (i < KEYS + 3 || (i - KEYS - 3) % 7 != 0) {
        keys.add(new String(key(i), UTF_8));
      }
    }
    return keys;
  }

  private static void load(Simulation sim) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
      Tree tree = engine.createTree("t");
      for (int i = 0; i < KEYS; i++) {
        tree.put(key(i), new byte[VALUE_BYTES]);
      }
      engine.flush();
      tree.compact();
    }
  }

  @Test
  void aScanThatDoesNotFillTheCacheMakesFewRequestsEachTime() {
    try (Simulation sim = Simulation.seeded(13)) {
      sim.run(
          () -> {
            load(sim);
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              ScanOptions options =
                  ScanOptions.all().from(key(1000)).limit(ROWS).withoutCacheFill();
              for (int i = 0; i < 3; i++) {
                Cost cost = cost(sim, engine, options);
                assertThat(cost.requests).isBetween(1L, 2L);
                assertThat(cost.pages).isBetween((long) LEAVES, LEAVES + 4L);
              }
            }
          });
    }
  }

  /** Notes on which threads runs are read, and lets those of the other thread fail or not. */
  private static List<String> noteReaders(Simulation sim, boolean fails) {
    List<String> readers = new ArrayList<>();
    sim.faults()
        .add(
            Fault.of(FaultEffect.IO_ERROR)
                .on(IoKind.READ)
                .where(
                    call -> {
                      String reader = Thread.currentThread().getName();
                      readers.add(reader);
                      return fails && reader.contains("read-ahead");
                    })
                .asSticky());
    return readers;
  }

  /**
   * Scans everything from a cold cache; looks at which thread read it, and that no leaf was read
   * twice.
   */
  private static void scanLong(Simulation sim, ScanOptions options, boolean fails) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
      Tree tree = engine.tree("t");
      List<String> readers = noteReaders(sim, fails);
      int rows = 0;
      try (Cursor cursor = tree.scan(options)) {
        while (cursor.next()) {
          rows++;
          // A program that shows rows takes time, in which others run.
          sim.env().waiter().pause(100);
        }
      }
      assertThat(rows).isEqualTo(KEYS);
      sim.faults().clear();
      long ahead = readers.stream().filter(reader -> reader.contains("read-ahead")).count();
      assertThat(ahead).as("of %s", readers).isGreaterThan(fails ? 0 : readers.size() / 2);
      assertThat(engine.statistics().cache().misses().get(AccessClass.QUERY))
          .isLessThan(KEYS / 7 + 8);
    }
  }

  @Test
  void aLongScanHasPagesReadWhileItShowsOthers() {
    try (Simulation sim = Simulation.seeded(14)) {
      sim.run(
          () -> {
            load(sim);
            ScanOptions all = ScanOptions.all();
            for (ScanOptions some : List.of(all, all.reverse())) {
              scanLong(sim, some, false);
              scanLong(sim, some, true);
            }
          });
    }
  }

  @Test
  void anEngineIsClosedWhilePagesAreReadAhead() {
    for (long seed = 20; seed < 30; seed++) {
      try (Simulation sim = Simulation.seeded(seed)) {
        sim.run(
            () -> {
              load(sim);
              Engine engine = Engine.open(sim.env(), sim.directory(), config());
              try (Cursor cursor = engine.tree("t").scan(ScanOptions.all())) {
                for (int i = 0; i < KEYS / 2; i++) {
                  assertThat(cursor.next()).isTrue();
                }
              }
              engine.close();
            });
        assertThat(sim.liveBytes()).isZero();
      }
    }
  }

  @Test
  void aKnownReachIsReadInFewRequests() {
    try (Simulation sim = Simulation.seeded(11)) {
      sim.run(
          () -> {
            load(sim);
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              ScanOptions all = ScanOptions.all();
              for (boolean forward : new boolean[] {true, false}) {
                int at = forward ? 0 : KEYS / 2;
                ScanOptions way = forward ? all : all.reverse();
                ScanOptions half = way.from(key(at + 500)).to(key(at + 1000));
                Cost limited = cost(sim, engine, half.limit(ROWS));
                Cost bounded =
                    cost(sim, engine, way.from(key(at + 1500)).to(key(at + 1500 + ROWS)));
                Cost unknown =
                    cost(sim, engine, forward ? way.from(key(at + 2000)) : way.to(key(at + 2500)));
                assertThat(limited.requests).isEqualTo(1);
                assertThat(limited.pages).isBetween((long) LEAVES, LEAVES + 4L);
                assertThat(bounded.requests).isLessThan(unknown.requests);
                assertThat(bounded.pages).isBetween((long) LEAVES, LEAVES + 3L);
              }
            }
          });
    }
  }

  /** A twentieth of the entries, but where the scan goes every second one. */
  @Test
  void aRunWithItsEntriesInOnePlaceIsReadInOneRequest() {
    try (Simulation sim = Simulation.seeded(15)) {
      sim.run(
          () -> {
            load(sim);
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              engine.configure("l0.mergeWhenQuiet", "false");
              for (int i = 1000; i < 1300; i++) {
                engine.tree("t").put(key(i), new byte[VALUE_BYTES]);
              }
              engine.flush();
            }
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              // So that the index of the newer run is there.
              engine.tree("t").get(key(1299));
              ScanOptions limited = ScanOptions.all().limit(ROWS);
              assertThat(cost(sim, engine, limited.from(key(1010))).requests).isEqualTo(2);
              assertThat(cost(sim, engine, limited.to(key(1290)).reverse()).requests).isEqualTo(2);
            }
          });
    }
  }
}
