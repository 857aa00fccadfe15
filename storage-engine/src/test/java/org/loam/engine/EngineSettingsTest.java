package org.loam.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Simulation;

/** With every setting at the ends of its range an engine does what it must do. */
@Tag("once")
class EngineSettingsTest {
  private static final int KEYS = 2000;

  /** The least that an engine runs with; each case replaces a group. */
  private static final String SMALLEST =
      """
      memory: {total: 64MiB}
      page: {size: 4KiB}
      durability: PROCESS
      log: {segmentBytes: 64KiB, maxBytes: 128KiB}
      write: {initialBytes: 256KiB}
      sstable: {bytes: 64KiB}
      io: {forceBytes: 64KiB}
      l0: {minMerge: 1, stop: 2}
      threads: {merge: 1}
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "page: {size: 4KiB}",
        "page: {size: 32KiB}\nwrite: {initialBytes: 512KiB}",
        "log: {segmentBytes: 4MiB, maxBytes: 8MiB}",
        "write: {initialBytes: 46MiB}",
        "write: {initialBytes: 256KiB, flushThreshold: 0.5}",
        "write: {initialBytes: 256KiB, flushThreshold: 1.0}",
        "write: {initialBytes: 256KiB, flushPolicy: MIN_LSN}",
        "sstable: {bytes: 1GiB}",
        "disk: {levelRatio: 2}",
        "disk: {levelRatio: 100}",
        "l0: {minMerge: 50, stop: 60}",
        "bloom: {bitsPerKey: 0}",
        "bloom: {bitsPerKey: 1}",
        "bloom: {bitsPerKey: 20}",
        "io: {forceBytes: 1GiB}",
        "io: {limitBytesPerSecond: 1MiB}",
        "threads: {flush: 4, merge: 4}"
      })
  void anEngineWorks(String setting) {
    StringBuilder yaml = new StringBuilder(setting);
    for (String line : SMALLEST.split("\n")) {
      if (!setting.contains(line.substring(0, line.indexOf(':') + 1))) {
        yaml.append('\n').append(line);
      }
    }
    EngineConfig config = EngineConfig.fromYaml(yaml.toString());
    try (Simulation sim = Simulation.seeded(5)) {
      sim.run(() -> work(sim, config));
      sim.run(() -> reopen(sim, config));
    }
  }

  private static void work(Simulation sim, EngineConfig config) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
      Tree tree = engine.createTree("t");
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < KEYS; i++) {
          tree.put(key(i * 7 % KEYS), value(round));
        }
      }
      tree.delete(key(1));
      engine.flush();
      tree.compact();
      assertThat(engine.statistics().work().flushes()).isPositive();
      check(tree);
    }
  }

  private static void reopen(Simulation sim, EngineConfig config) {
    try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
      check(engine.tree("t"));
    }
  }

  private static byte[] key(int i) {
    return ("key" + i).getBytes(UTF_8);
  }

  private static byte[] value(int round) {
    return ("value of round " + round + " ".repeat(100)).getBytes(UTF_8);
  }

  private static void check(Tree tree) {
    for (int i = 0; i < KEYS; i++) {
      assertThat(tree.get(key(i))).as("key %d", i).isEqualTo(i == 1 ? null : value(1));
    }
    int count = 0;
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      while (cursor.next()) {
        count++;
      }
    }
    assertThat(count).isEqualTo(KEYS - 1);
  }
}
