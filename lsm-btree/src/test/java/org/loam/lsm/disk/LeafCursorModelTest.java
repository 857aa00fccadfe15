package org.loam.lsm.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.loam.cache.ReadIntent;

/** A cursor does what a sorted map of the visible versions does. */
class LeafCursorModelTest {
  @TempDir Path directory;

  @ParameterizedTest(name = "seed {0}, {1} keys, up to {2} versions, LSNs kept: {3}")
  @CsvSource({
    "21, 1, 1, false", "22, 60, 1, false", "23, 700, 1, false", "24, 300, 6, true",
    "25, 5, 250, true", "26, 60, 60, true", "27, 1, 1200, true", "28, 500, 2, true"
  })
  void agreesWithASortedMap(long seed, int keys, int versions, boolean keepLsns) {
    EntryMaker maker = new EntryMaker(seed, 4096);
    List<TestEntry> entries = maker.entries(keys, versions);
    try (DiskFixture disk = new DiskFixture(directory, 4096)) {
      SSTable table = disk.table(keepLsns, entries);
      long maxLsn = table.meta().lsns().max();
      for (int run = 0; run < 8; run++) {
        long readLsn =
            !keepLsns || run == 0
                ? maxLsn
                : maker.random().nextLong(table.meta().lsns().min() - 1, maxLsn + 1);
        NavigableMap<byte[], TestEntry> model = visible(entries, keepLsns, readLsn, maxLsn);
        int leaves = 1 + run % 3;
        // Wherever the end is: it bounds what is read ahead, not what is shown.
        DiskFixture.withKey(
            maker.key(),
            end -> {
              Reach reach = new Reach(leaves, new Way(leaves == 1 ? 0 : end, 1, 0));
              if (!table.isVisibleAt(readLsn)) {
                assertThat(model).isEmpty();
                return null;
              }
              try (LeafCursor cursor =
                  table.cursor(readLsn, ReadIntent.query(leaves != 2), reach)) {
                walk(maker, cursor, reach, model, "seed " + seed + " read LSN " + readLsn);
              }
              return null;
            });
      }
      disk.drop(table);
    }
  }

  private static NavigableMap<byte[], TestEntry> visible(
      List<TestEntry> entries, boolean keepLsns, long readLsn, long maxLsn) {
    TreeMap<byte[], TestEntry> model = new TreeMap<>(Arrays::compareUnsigned);
    for (TestEntry e : entries) {
      if (!keepLsns) {
        model.put(e.key(), e.withLsn(maxLsn));
      } else if (e.lsn() <= readLsn) {
        model.putIfAbsent(e.key(), e);
      }
    }
    return model;
  }

  private static void walk(
      EntryMaker maker,
      LeafCursor cursor,
      Reach reach,
      NavigableMap<byte[], TestEntry> model,
      String what) {
    SplittableRandom random = maker.random();
    byte[] at = null;
    for (int step = 0; step < 1500; step++) {
      String where = what + " step " + step;
      if (at != null && random.nextInt(20) == 0) {
        cursor.pause();
        cursor.resume(reach, random.nextBoolean());
        assertThat(DiskFixture.current(cursor)).as(where).isEqualTo(model.get(at));
      }
      Map.Entry<byte[], TestEntry> expected;
      boolean moved;
      int choice = random.nextInt(120);
      if (choice < 40) {
        expected = at == null ? null : model.higherEntry(at);
        moved = cursor.next();
      } else if (choice < 80) {
        expected = at == null ? null : model.lowerEntry(at);
        moved = cursor.previous();
      } else if (choice < 83) {
        expected = model.firstEntry();
        moved = cursor.first();
      } else if (choice < 86) {
        expected = model.lastEntry();
        moved = cursor.last();
      } else if (choice >= 100) {
        boolean up = random.nextBoolean();
        byte[] bound = bound(maker, model, at, up);
        moved = at != null && stepBefore(cursor, up, bound);
        if (bound != null && moved) {
          int order = Arrays.compareUnsigned(DiskFixture.current(cursor).key(), bound);
          assertThat(up ? order < 0 : order > 0).as(where + ", before the others").isTrue();
        }
        if (!moved) {
          assertThat(at == null ? null : DiskFixture.current(cursor))
              .as(where + ", stays")
              .isEqualTo(at == null ? null : model.get(at));
          continue;
        }
        expected = up ? model.higherEntry(at) : model.lowerEntry(at);
        assertThat(cursor.valueAddress()).as(where).isNotZero();
      } else {
        byte[] key = seekKey(maker, model);
        boolean up = random.nextBoolean();
        expected = up ? model.ceilingEntry(key) : model.lowerEntry(key);
        moved = up ? DiskFixture.ceiling(cursor, key) : DiskFixture.lower(cursor, key);
      }
      at = expected == null ? null : expected.getKey();
      assertThat(moved).as(where).isEqualTo(expected != null);
      if (expected != null) {
        assertThat(DiskFixture.current(cursor)).as(where).isEqualTo(expected.getValue());
      }
    }
  }

  /** What a step must not reach: nothing, any key, or the very one that it comes to. */
  private static byte @Nullable [] bound(
      EntryMaker maker, NavigableMap<byte[], TestEntry> model, byte @Nullable [] at, boolean up) {
    int choice = maker.random().nextInt(4);
    if (choice == 0) {
      return null;
    }
    byte[] neighbour = at == null ? null : up ? model.higherKey(at) : model.lowerKey(at);
    return choice == 1 && neighbour != null ? neighbour : seekKey(maker, model);
  }

  private static boolean stepBefore(LeafCursor cursor, boolean up, byte @Nullable [] bound) {
    return bound == null
        ? cursor.step(up, 0, 0)
        : DiskFixture.withKey(bound, key -> cursor.step(up, key, bound.length));
  }

  private static byte[] seekKey(EntryMaker maker, NavigableMap<byte[], TestEntry> model) {
    byte[] near = maker.key();
    byte[] existing = model.floorKey(near);
    return existing == null || maker.random().nextBoolean() ? near : existing;
  }
}
