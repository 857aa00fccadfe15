package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Simulation;

/** More versions of one key than the memory of a flush has room for separators of leaves. */
@Tag("once")
class ManyVersionsTest {
  private static final int VERSIONS = 1600;
  private static final byte[] BEFORE = "a".getBytes(StandardCharsets.UTF_8);
  private static final byte[] AFTER = "z".getBytes(StandardCharsets.UTF_8);

  private final Simulation sim = Simulation.seeded(23);

  @AfterEach
  void close() {
    sim.close();
  }

  /** A flush has 512 KiB, of which an eighth has to do once the rest is used up. */
  private static EngineConfig config() {
    return EngineConfig.builder()
        .memoryTotalBytes(64 << 20)
        .durability(Durability.PROCESS)
        .writeInitialBytes(8 << 20)
        .logSegmentBytes(4 << 20)
        .logMaxBytes(32 << 20)
        .build();
  }

  private static byte[] longKey() {
    byte[] key = new byte[4000];
    Arrays.fill(key, (byte) 'k');
    return key;
  }

  /** Two of them do not fit into a leaf beside the key. */
  private static byte[] value(int version) {
    byte[] value = new byte[6500];
    Arrays.fill(value, (byte) version);
    value[0] = (byte) (version >> 8);
    return value;
  }

  @Test
  void flushesAndMergesTakeThem() {
    sim.run(
        () -> {
          try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
            Tree tree = engine.createTree("t");
            tree.put(BEFORE, BEFORE);
            tree.put(AFTER, AFTER);
            List<Snapshot> snapshots = new ArrayList<>();
            for (int version = 0; version < VERSIONS; version++) {
              tree.put(longKey(), value(version));
              snapshots.add(engine.snapshot());
            }
            engine.flush();
            check(engine, tree, snapshots);
            tree.compact();
            check(engine, tree, snapshots);
            snapshots.forEach(Snapshot::close);
          }
        });
    sim.run(
        () -> {
          try (Engine engine = Engine.open(sim.env(), sim.directory(), config())) {
            check(engine, engine.tree("t"), List.of());
          }
        });
  }

  private static void check(Engine engine, Tree tree, List<Snapshot> snapshots) {
    for (int version = 0; version < snapshots.size(); version++) {
      Snapshot snapshot = snapshots.get(version);
      assertThat(snapshot.get(tree, longKey())).as("version %d", version).isEqualTo(value(version));
      if (version % 100 == 0) {
        checkScan(snapshot.scan(tree, ScanOptions.all()), version);
        checkScan(snapshot.scan(tree, ScanOptions.all().reverse()), version);
      }
    }
    checkScan(tree.scan(ScanOptions.all()), VERSIONS - 1);
    assertThat(engine.verify().isSound()).isTrue();
  }

  private static void checkScan(Cursor entries, int version) {
    try (Cursor cursor = entries) {
      int count = 0;
      while (cursor.next()) {
        count++;
        if (cursor.key().length == 4000) {
          assertThat(cursor.value()).isEqualTo(value(version));
        }
      }
      assertThat(count).isEqualTo(3);
    }
  }
}
