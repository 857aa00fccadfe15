package org.loam.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.loam.common.config.Durability;
import org.loam.common.config.EngineConfig;
import org.loam.common.sim.Simulation;
import org.loam.lsm.dataset.IndexDefinition;

/**
 * The longest keys and values, the most versions, keys that are almost equal: nothing of that may
 * stop a flush, a merge, a load or a recovery, with the least memory there can be.
 */
class ExtremeDataTest {
  private static final int DEEDS = 30;

  @Tag("once")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 4, 5, 6})
  void noDataStopsTheEngine(long seed) {
    try (Simulation sim = Simulation.seeded(seed)) {
      sim.run(() -> new Run(sim, seed).live());
    }
  }

  @Tag("soak")
  @ParameterizedTest(name = "seeds from {0} on")
  @ValueSource(longs = {1000, 2000, 3000, 4000})
  void noDataStopsTheEngineWithMoreSeeds(long first) {
    for (long seed = first; seed < first + 100; seed++) {
      noDataStopsTheEngine(seed);
    }
  }

  /** A snapshot and what it must show. */
  private record Kept(Snapshot snapshot, NavigableMap<byte[], byte[]> content) {}

  private static final class Run {
    private final Simulation sim;
    private final Random random;
    private final EngineConfig config;
    private final int maxKeyBytes;
    private final int maxValueBytes;
    private final NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Kept> kept = new ArrayList<>();
    private Engine engine;
    private Tree tree;
    private int loads;

    Run(Simulation sim, long seed) {
      this.sim = sim;
      this.random = new Random(seed);
      int pageBytes = 4096 << random.nextInt(4);
      int segmentBytes = 64 << 10 << 2 * random.nextInt(3);
      int writeBytes = Math.max(4 * segmentBytes, 16 * pageBytes);
      this.maxKeyBytes = pageBytes / 4;
      this.maxValueBytes = Math.min(segmentBytes / 4, writeBytes / 8) - maxKeyBytes - 64;
      this.config =
          EngineConfig.builder()
              .memoryTotalBytes(64 << 20)
              .pageBytes(pageBytes)
              .durability(random.nextBoolean() ? Durability.SYNC : Durability.PROCESS)
              .writeInitialBytes(writeBytes)
              .logSegmentBytes(segmentBytes)
              .logMaxBytes(4 * segmentBytes)
              .sstableBytes(64 << 10 << 4 * random.nextInt(2))
              .ioForceBytes(64 << 10)
              .build();
      this.engine = Engine.open(sim.env(), sim.directory(), config);
      this.tree = engine.createTree("t");
      engine.datasets().create("d", "text", List.of(byRecord()));
    }

    /** The whole record, so that an entry may just fit, or just not. */
    private static IndexDefinition byRecord() {
      return IndexDefinition.of(
          "record", "the record", (record, keys) -> keys.next().add(record.bytes()));
    }

    void live() {
      for (int deed = 0; deed < DEEDS; deed++) {
        if (deed == DEEDS / 2) {
          putLongVersions();
        }
        switch (random.nextInt(12)) {
          case 0, 1, 2 -> putSome();
          case 3 -> putManySmall();
          case 4, 5 -> putVersions();
          case 6 -> deleteSome();
          case 7 -> engine.flush();
          case 8 -> tree.compact();
          case 9 -> load();
          case 10 -> upsertSome();
          default -> reopenOrRelease();
        }
      }
      checkAll();
      engine.flush();
      tree.compact();
      checkAll();
      reopen();
      tree.compact();
      checkAll();
      engine.close();
    }

    /** Almost equal, at the ends of all keys, or anything; as long as may be, or short. */
    private byte[] key() {
      byte[] key = new byte[random.nextBoolean() ? length(maxKeyBytes) : random.nextInt(20)];
      switch (random.nextInt(4)) {
        case 0 -> Arrays.fill(key, (byte) 0);
        case 1 -> Arrays.fill(key, (byte) -1);
        case 2 -> random.nextBytes(key);
        default -> {
          Arrays.fill(key, (byte) 'k');
          if (key.length > 0) {
            key[key.length - 1] = (byte) random.nextInt(256);
          }
        }
      }
      return key;
    }

    private int length(int most) {
      return switch (random.nextInt(4)) {
        case 0 -> most;
        case 1 -> most - random.nextInt(Math.min(most, 12));
        default -> random.nextInt(most + 1);
      };
    }

    private byte[] value() {
      int half = 2 * maxKeyBytes;
      int length =
          switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> length(Math.min(half, maxValueBytes));
            case 2 -> Math.min(half + 1 + random.nextInt(20), maxValueBytes);
            case 3 -> length(maxValueBytes);
            default -> random.nextInt(200);
          };
      byte[] value = new byte[length];
      random.nextBytes(value);
      return value;
    }

    private void put(byte[] key, byte[] value) {
      tree.put(key, value);
      model.put(key, value);
    }

    private void delete(byte[] key) {
      tree.delete(key);
      model.remove(key);
    }

    private void putSome() {
      for (int i = random.nextInt(80); i >= 0; i--) {
        put(key(), value());
      }
    }

    private void putManySmall() {
      int first = random.nextInt(1 << 20);
      for (int i = 0; i < 1000; i++) {
        int number = first + i;
        put(
            new byte[] {1, (byte) (number >> 16), (byte) (number >> 8), (byte) number},
            new byte[0]);
      }
    }

    /** Versions of one key, and anti-matter in between, each of them kept. */
    private void putVersions() {
      byte[] key = key();
      int shape = random.nextInt(3);
      byte[] value = value();
      for (int i = 20 + random.nextInt(300); i >= 0; i--) {
        if (random.nextInt(10) == 0) {
          delete(key);
        } else {
          put(key, shape == 0 ? value() : shape == 1 ? value : new byte[0]);
        }
        keep();
      }
    }

    /** A leaf for each of more versions than there is work memory for their separators. */
    private void putLongVersions() {
      byte[] key = new byte[maxKeyBytes];
      Arrays.fill(key, (byte) 'l');
      byte[] value = new byte[Math.min(2 * maxKeyBytes, maxValueBytes)];
      int versions = (600 << 10) / maxKeyBytes;
      for (int i = 0; i < versions; i++) {
        put(key, value);
        keep();
      }
      tree.compact();
    }

    private void keep() {
      kept.add(new Kept(engine.snapshot(), new TreeMap<>(model)));
    }

    private void deleteSome() {
      for (byte[] key : List.copyOf(model.keySet())) {
        if (random.nextInt(3) == 0) {
          delete(key);
        }
      }
      for (int i = 0; i < 100; i++) {
        delete(key());
      }
    }

    private void load() {
      NavigableMap<byte[], byte[]> content = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = random.nextInt(400); i >= 0; i--) {
        content.put(key(), value());
      }
      Tree loaded = engine.createTree("load" + loads++);
      try (BulkLoad load = loaded.bulkLoad()) {
        content.forEach(load::add);
        load.commit();
      }
      check(content, loaded.scan(ScanOptions.all()));
      engine.dropTree(loaded.name());
    }

    private void upsertSome() {
      Dataset dataset = engine.datasets().open("d", "text", List.of(byRecord()));
      for (int i = random.nextInt(60); i >= 0; i--) {
        byte[] record = new byte[length(maxKeyBytes)];
        random.nextBytes(record);
        try {
          dataset.upsert(key(), record);
        } catch (IllegalArgumentException e) {
          assertThat(e).hasMessageContaining("at most");
        }
        if (random.nextInt(4) == 0) {
          dataset.delete(key());
        }
      }
    }

    private void reopenOrRelease() {
      if (random.nextInt(3) == 0) {
        reopen();
        return;
      }
      for (int i = random.nextInt(kept.size() + 1); i > 0; i--) {
        kept.remove(random.nextInt(kept.size())).snapshot().close();
      }
    }

    private void reopen() {
      kept.forEach(k -> k.snapshot().close());
      kept.clear();
      engine.close();
      engine = Engine.open(sim.env(), sim.directory(), config);
      tree = engine.tree("t");
    }

    private void checkAll() {
      check(model, tree.scan(ScanOptions.all()));
      check(model.descendingMap(), tree.scan(ScanOptions.all().reverse()));
      for (int i = 0; i < kept.size(); i += 1 + random.nextInt(60)) {
        Kept k = kept.get(i);
        check(k.content(), k.snapshot().scan(tree, ScanOptions.all()));
        check(k.content().descendingMap(), k.snapshot().scan(tree, ScanOptions.all().reverse()));
      }
      assertThat(engine.verify().findings()).isEmpty();
    }

    private static void check(NavigableMap<byte[], byte[]> content, Cursor entries) {
      try (Cursor cursor = entries) {
        for (Map.Entry<byte[], byte[]> entry : content.entrySet()) {
          assertThat(cursor.next()).isTrue();
          assertThat(Arrays.equals(cursor.key(), entry.getKey())).isTrue();
          assertThat(Arrays.equals(cursor.value(), entry.getValue())).isTrue();
        }
        assertThat(cursor.next()).isFalse();
      }
    }
  }
}
