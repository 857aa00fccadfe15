package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.Entry;
import org.loam.lsm.read.EntryCursor;

/** Random histories against {@link VersionModel}. */
class MemoryComponentModelTest {
  /** What raw memory could do otherwise shows in fewer. */
  private static final int OPERATIONS = Mem.CHECKED ? 12_000 : 4_000;

  static Stream<Arguments> histories() {
    return Stream.of(KeyShape.values())
        .flatMap(
            shape ->
                IntStream.range(0, 3)
                    .mapToObj(seed -> Arguments.of(shape, 4096 << seed, (long) seed)));
  }

  @ParameterizedTest
  @MethodSource("histories")
  void agreesWithModel(KeyShape shape, int pageBytes, long seed) {
    try (Fixture fixture = new Fixture((32 << 20) / pageBytes, pageBytes)) {
      new History(fixture, shape, seed).run();
    }
  }

  /** One random run. */
  private static final class History {
    private final Fixture fixture;
    private final KeyShape shape;
    private final SplittableRandom random;
    private final VersionModel model = new VersionModel();
    private final int keySpace;
    private long lsn;

    History(Fixture fixture, KeyShape shape, long seed) {
      this.fixture = fixture;
      this.shape = shape;
      this.random = new SplittableRandom(seed);
      this.keySpace = seed == 0 ? 150 : OPERATIONS;
    }

    void run() {
      for (int i = 0; i < OPERATIONS; i++) {
        int dice = random.nextInt(1000);
        if (dice < 500) {
          put(i);
        } else if (dice < 520) {
          putBatch(i);
        } else if (dice < 640) {
          undoLast();
        } else if (dice < 700) {
          model.published = lsn;
        } else if (dice < 710 && model.registered.size() < 4) {
          model.registered.add(model.published);
        } else if (dice < 715 && !model.registered.isEmpty()) {
          model.registered.remove(anyRegistered());
        } else {
          checkFind();
        }
        if (i % 1500 == 1499) {
          checkScans();
          checkCounters();
        }
      }
      checkScans();
      checkSeeks();
      model.published = lsn;
      checkVersions();
      checkUndone();
    }

    private byte[] anyKey(int operation) {
      boolean ordered = shape == KeyShape.ASCENDING || shape == KeyShape.DESCENDING;
      if (ordered && random.nextInt(4) > 0) {
        return shape.key(operation);
      }
      return shape.key(random.nextInt(keySpace));
    }

    private Long anyRegistered() {
      return new ArrayList<>(model.registered).get(random.nextInt(model.registered.size()));
    }

    private void put(int operation) {
      byte[] key = anyKey(operation);
      byte[] value = anyValue();
      lsn += 1 + random.nextInt(3);
      fixture.put(key, value, lsn, model);
      model.put(key, value, lsn);
    }

    /** Writes whose places are found before others write and undo. */
    private void putBatch(int operation) {
      byte[][] keys = new byte[1 + random.nextInt(20)][];
      byte[][] values = new byte[keys.length][];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = anyKey(operation + i);
        values[i] = anyValue();
      }
      long[] records = fixture.prepareAndFind(keys, values);
      for (int n = random.nextInt(4) * random.nextInt(40); n > 0; n--) {
        put(operation + random.nextInt(keys.length));
      }
      if (random.nextInt(4) == 0) {
        undoLast();
      }
      fixture.insertFound(records, lsn + 1, model);
      for (int i = 0; i < keys.length; i++) {
        lsn++;
        model.put(keys[i], values[i], lsn);
      }
    }

    private byte[] anyValue() {
      byte[] value = new byte[random.nextInt(100) == 0 ? random.nextInt(9000) : random.nextInt(9)];
      random.nextBytes(value);
      return value;
    }

    /** Undoes the newest writes, as far as they are not published. */
    private void undoLast() {
      for (int n = random.nextInt(4); n >= 0 && lsn > model.published; lsn--) {
        byte[] key = model.keyOf(lsn);
        if (key != null && Long.valueOf(lsn).equals(model.visible(key, Long.MAX_VALUE))) {
          assertThat(fixture.undo(key, lsn + 1)).isFalse();
          assertThat(fixture.undo(key, lsn)).isTrue();
          model.undo(key);
          n--;
        }
      }
    }

    private void checkFind() {
      byte[] key = anyKey(random.nextInt(OPERATIONS));
      checkFind(key, Long.MAX_VALUE, true);
      for (long readLsn : model.registered) {
        checkFind(key, readLsn, true);
      }
      checkFind(key, random.nextLong(lsn + 1), false);
    }

    private void checkFind(byte[] key, long readLsn, boolean needed) {
      long record = fixture.find(key, readLsn);
      Long expected = model.visible(key, readLsn);
      if (record == MemoryComponent.DROPPED) {
        assertThat(needed).as("version at %d dropped", readLsn).isFalse();
        assertThat(expected).isNotNull();
      } else if (expected != null) {
        assertThat(record).as("key %s at %d", Fixture.text(key), readLsn).isPositive();
        assertThat(Fixture.key(record)).isEqualTo(key);
        assertThat(MemoryRecord.lsn(record)).isEqualTo(expected);
        assertThat(Fixture.value(record)).isEqualTo(model.value(key, expected));
      } else {
        assertThat(record)
            .isEqualTo(
                model.keys.containsKey(key) ? MemoryComponent.NOT_VISIBLE : MemoryComponent.ABSENT);
      }
    }

    private void checkScans() {
      checkScan(Long.MAX_VALUE);
      for (long readLsn : model.registered) {
        checkScan(readLsn);
      }
    }

    private void checkScan(long readLsn) {
      List<String> expected = model.scan(readLsn);
      try (EntryCursor cursor = fixture.component.cursor(readLsn)) {
        List<String> forward = new ArrayList<>();
        for (boolean at = cursor.first(); at; at = cursor.next()) {
          forward.add(row(cursor));
        }
        assertThat(forward).isEqualTo(expected);
        assertThat(cursor.next()).isFalse();
        List<String> backward = new ArrayList<>();
        for (boolean at = cursor.last(); at; at = cursor.previous()) {
          backward.add(0, row(cursor));
        }
        assertThat(backward).isEqualTo(expected);
        assertThat(cursor.previous()).isFalse();
      }
    }

    private void checkSeeks() {
      try (EntryCursor cursor = fixture.component.cursor(Long.MAX_VALUE)) {
        for (int i = 0; i < 500; i++) {
          byte[] key = anyKey(random.nextInt(OPERATIONS));
          byte[] at = model.keys.ceilingKey(key);
          assertThat(cursor.ceiling(fixture.offHeap(key), key.length)).isEqualTo(at != null);
          for (int steps = random.nextInt(70); at != null && steps >= 0; steps--) {
            assertThat(Fixture.key(cursor)).isEqualTo(at);
            boolean forward = random.nextInt(3) > 0;
            at = forward ? model.keys.higherKey(at) : model.keys.lowerKey(at);
            assertThat(forward ? cursor.next() : cursor.previous()).isEqualTo(at != null);
          }
          byte[] before = model.keys.lowerKey(key);
          assertThat(cursor.lower(fixture.offHeap(key), key.length)).isEqualTo(before != null);
          for (int steps = random.nextInt(70); before != null && steps >= 0; steps--) {
            assertThat(Fixture.key(cursor)).isEqualTo(before);
            before = model.keys.lowerKey(before);
            assertThat(cursor.previous()).isEqualTo(before != null);
          }
        }
      }
    }

    private void checkVersions() {
      List<String> versions = new ArrayList<>();
      try (VersionCursor cursor = new VersionCursor(fixture.component, model)) {
        for (boolean at = cursor.first(); at; at = cursor.next()) {
          versions.add(row(cursor));
        }
      }
      assertThat(versions).isEqualTo(model.versions());
    }

    private void checkCounters() {
      MemoryComponent component = fixture.component;
      assertThat(component.keyCount()).isEqualTo(model.keys.size());
      assertThat(component.maxLsn()).isGreaterThanOrEqualTo(lsn);
      assertThat(component.usedBytes())
          .isEqualTo((long) fixture.quota.usedPages() * fixture.pool.pageBytes());
    }

    /** Takes everything away again, leaf after leaf, in an order that empties leaves. */
    private void checkUndone() {
      for (byte[] key : new ArrayList<>(model.keys.keySet())) {
        long record = fixture.find(key, Long.MAX_VALUE);
        if (MemoryRecord.link(record) == 0) {
          assertThat(fixture.undo(key, MemoryRecord.lsn(record))).isTrue();
          model.keys.remove(key);
        }
      }
      checkScan(Long.MAX_VALUE);
      checkSeeks();
      checkCounters();
      for (int i = 0; i < 300; i++) {
        put(i);
      }
      checkScan(Long.MAX_VALUE);
    }

    private static String row(Entry cursor) {
      return VersionModel.row(Fixture.key(cursor), cursor.lsn(), Fixture.value(cursor));
    }
  }
}
