package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.lsm.memory.Fixture.KEEP_NONE;
import static org.loam.lsm.memory.Fixture.bytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.env.Waiter;
import org.loam.common.env.real.RealEnv;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/** When a place that was found is used, and when it is looked for again. */
class InsertionPointsTest {
  private final Fixture fixture = new Fixture(5000, 4096);
  private long lsn;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void nothingIsKnownOfAnEmptyComponent() {
    long[] records = find("a", "b");
    assertThat(known(records)).isEmpty();
    insert(records);
    assertThat(keys()).containsExactly("a", "b");
  }

  @Test
  void knowsWhereNewAndOldKeysBelong() {
    fill(1000);
    long[] records = find(key(7), key(500) + "x", key(999));
    assertThat(known(records)).containsExactly(0, 1, 2);
    assertThat(fixture.points.index(0, records[0])).isNotNegative();
    assertThat(fixture.points.index(1, records[1])).isNegative();
    insert(records);
    assertThat(keys()).hasSize(1001).contains(key(500) + "x");
  }

  @Test
  void aLeafThatOthersChangedIsSearchedAgain() {
    fill(10);
    long[] records = find(key(7), key(8));
    put(key(7) + "x");
    assertThat(known(records)).containsExactly(0, 1);
    insert(records);
    assertThat(keys()).hasSize(11).doesNotHaveDuplicates();
  }

  @Test
  void aLeafThatWasSplitIsForgotten() {
    fill(1000);
    long[] records = find(key(500) + "a", key(2));
    for (int i = 0; i < Node.CAPACITY; i++) {
      put(key(500) + "b" + (char) ('A' + i));
    }
    assertThat(known(records)).containsExactly(1);
    insert(records);
    assertThat(keys()).hasSize(1001 + Node.CAPACITY).contains(key(500) + "a");
  }

  @Test
  void aKeyWithoutTheCommonPrefixIsNotKnown() {
    fill(1000);
    long[] records = find("a", key(3), "z");
    assertThat(known(records)).containsExactly(1);
    insert(records);
    assertThat(keys()).hasSize(1002).startsWith("a").endsWith("z");
  }

  @Test
  void recordsBehindTheCapacityAreInsertedAsWell() {
    String[] many = new String[InsertionPoints.CAPACITY + 3];
    fill(many.length);
    for (int i = 0; i < many.length; i++) {
      many[i] = key(i) + "x";
    }
    long[] records = find(many);
    assertThat(known(records)).hasSize(InsertionPoints.CAPACITY);
    insert(records);
    assertThat(keys()).hasSize(2 * many.length);
    assertThat(known(find("a"))).as("of the batch before").isEmpty();
  }

  @Test
  void recordsOfSeveralComponentsGoToTheirOwn() {
    fill(100);
    try (Fixture other = new Fixture(200, 4096)) {
      for (int i = 0; i < 300; i++) {
        other.put("other" + key(i), "", i, KEEP_NONE);
      }
      MemoryComponent[] components = {fixture.component, other.component, fixture.component};
      String[] keys = {key(1) + "x", "other" + key(1) + "x", key(99) + "x"};
      long[] records = new long[keys.length];
      for (int i = 0; i < keys.length; i++) {
        records[i] = components[i].prepare(EntryKind.PUT, bytes(keys[i]), new byte[0]);
      }
      fixture.points.find(components, records, keys.length);
      assertThat(known(records)).containsExactly(0, 1, 2);
      for (int i = 0; i < keys.length; i++) {
        assertThat(components[i].reserve(1)).isTrue();
        components[i].insert(records[i], 1000, KEEP_NONE, fixture.points, i);
      }
      assertThat(keys()).hasSize(102).contains(keys[0], keys[2]);
      assertThat(other.component.keyCount()).isEqualTo(301);
      assertThat(other.find(bytes(keys[1]), 1000)).isPositive();
    }
  }

  /** Each looks for places while the others insert, under a lock as the engine does. */
  @ParameterizedTest
  @EnumSource(names = {"RANDOM", "ASCENDING", "OUTLIERS"})
  void writersBesideEachOtherLoseNothing(KeyShape shape) throws Exception {
    int writers = 4;
    int batches = Mem.CHECKED ? 1000 : 8000;
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      ReentrantLock latch = new ReentrantLock();
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        int number = writer;
        running.add(
            threads.submit(() -> write(new SplittableRandom(number), shape, batches, latch)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    try (EntryCursor cursor = fixture.component.cursor(Long.MAX_VALUE)) {
      long count = 0;
      byte[] last = null;
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        byte[] key = Fixture.key(cursor);
        assertThat(last == null || Arrays.compareUnsigned(last, key) < 0).isTrue();
        last = key;
        count++;
      }
      assertThat(count).isEqualTo(fixture.component.keyCount());
    }
  }

  /**
   * A component's root is a leaf once, and is split once. So there is a fresh component for each
   * round, with keys enough for that split and a few more.
   */
  @Test
  void aRootLeafThatIsSplitBesideASearchLosesNothing() throws Exception {
    int rounds = Mem.CHECKED ? 2000 : 10_000;
    Waiter waiter = RealEnv.create().waiter();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < rounds; round++) {
        try (SplittingRoot root = new SplittingRoot(waiter)) {
          Future<?> even = threads.submit(() -> root.write(0));
          Future<?> odd = threads.submit(() -> root.write(1));
          even.get();
          odd.get();
          assertThat(root.keys()).as("round %d", round).isEqualTo(SplittingRoot.expectedKeys());
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void write(SplittableRandom random, KeyShape shape, int batches, ReentrantLock latch) {
    InsertionPoints points = new InsertionPoints();
    MemoryComponent component = fixture.component;
    for (int batch = 0; batch < batches; batch++) {
      int size = 1 + random.nextInt(10);
      MemoryComponent[] components = new MemoryComponent[size];
      long[] records = new long[size];
      for (int i = 0; i < size; i++) {
        components[i] = component;
        records[i] =
            component.prepare(EntryKind.PUT, shape.key(random.nextInt(1 << 20)), new byte[0]);
      }
      points.find(components, records, size);
      latch.lock();
      try {
        assertThat(component.reserve(size)).isTrue();
        lsn++;
        for (int i = 0; i < size; i++) {
          component.insert(records[i], lsn, KEEP_NONE, points, i);
        }
        for (int i = 0; i < size; i++) {
          long key = MemoryRecord.keyAddress(records[i]);
          long found = component.find(key, MemoryRecord.keyLength(records[i]), Long.MAX_VALUE);
          assertThat(found).isPositive();
          assertThat(MemoryRecord.lsn(found)).isEqualTo(lsn);
        }
      } finally {
        latch.unlock();
      }
    }
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      put(key(i));
    }
  }

  private static String key(int number) {
    return String.format("key%05d", number);
  }

  private void put(String key) {
    fixture.put(key, "", ++lsn, KEEP_NONE);
  }

  private long[] find(String... keys) {
    byte[][] bytes = new byte[keys.length][];
    byte[][] values = new byte[keys.length][0];
    for (int i = 0; i < keys.length; i++) {
      bytes[i] = bytes(keys[i]);
    }
    return fixture.prepareAndFind(bytes, values);
  }

  private void insert(long[] records) {
    fixture.insertFound(records, lsn + 1, KEEP_NONE);
    lsn += records.length;
  }

  /** Of which records the leaf is known. */
  private List<Integer> known(long[] records) {
    List<Integer> known = new ArrayList<>();
    for (int i = 0; i < records.length; i++) {
      if (fixture.points.leaf(i) != InsertionPoints.UNKNOWN) {
        known.add(i);
      }
    }
    return known;
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    try (EntryCursor cursor = fixture.component.cursor(Long.MAX_VALUE)) {
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        keys.add(Fixture.text(Fixture.key(cursor)));
      }
    }
    return keys;
  }
}
