package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.loam.cache.AccessClass;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.IoKind;
import org.loam.common.sim.Simulation;

/** Who says how far a scan goes has it read in few requests, and not much more than it shows. */
class ScanReadAheadTest {
  private static final int KEYS = 6_000;
  private static final int VALUE_BYTES = 1_000;
  private static final int ROWS = 100;

  /** A page of 8 KiB holds seven or eight records. */
  private static final int LEAVES = ROWS / 8;

  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .pageBytes(8 << 10)
        .writeInitialBytes(8 << 20)
        .logSegmentBytes(2 << 20)
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

  @Test
  void aKnownReachIsReadInFewRequests() {
    try (Simulation sim = Simulation.seeded(11)) {
      sim.run(
          () -> {
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              Tree tree = engine.createTree("t");
              for (int i = 0; i < KEYS; i++) {
                tree.put(key(i), new byte[VALUE_BYTES]);
              }
              engine.flush();
              tree.compact();
            }
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
              ScanOptions from = ScanOptions.all();
              Cost limited = cost(sim, engine, from.from(key(1000)).limit(ROWS));
              Cost bounded = cost(sim, engine, from.from(key(2000)).to(key(2000 + ROWS)));
              Cost unknown = cost(sim, engine, from.from(key(3000)));
              assertThat(limited.requests).isLessThanOrEqualTo(2);
              assertThat(limited.pages).isBetween((long) LEAVES, LEAVES + 4L);
              assertThat(bounded.requests).isLessThan(unknown.requests);
              assertThat(bounded.pages).isBetween((long) LEAVES, LEAVES + 3L);
            }
          });
    }
  }
}
