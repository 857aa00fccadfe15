package org.loam.lsm.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.SortedCursor.Entry;

/** Any sources, either direction, from any key: against a sorted list. */
class MergingCursorTest {
  /** An entry and the index of its source. */
  private record Row(Entry entry, int source) {}

  private static byte[] key(Random random) {
    byte[] key = new byte[random.nextInt(8) == 0 ? 8 + random.nextInt(4) : random.nextInt(3)];
    for (int i = 0; i < key.length; i++) {
      // Few values, so that keys meet; long keys that differ behind the first eight bytes.
      key[i] = i < 7 && key.length > 7 ? 5 : (byte) (random.nextInt(4) * 60);
    }
    return key;
  }

  private static List<Entry> source(Random random) {
    TreeMap<byte[], Entry> entries = new TreeMap<>(Arrays::compareUnsigned);
    for (int n = random.nextInt(4) == 0 ? 0 : random.nextInt(30); n > 0; n--) {
      byte[] key = key(random);
      entries.put(key, new Entry(key, random.nextInt(1000), (byte) 0, new byte[0]));
    }
    return new ArrayList<>(entries.values());
  }

  private static List<Row> walk(MergingCursor<SortedCursor> cursor, boolean found) {
    List<Row> rows = new ArrayList<>();
    List<SortedCursor> seconds = new ArrayList<>();
    List<SortedCursor> currents = new ArrayList<>();
    for (boolean more = found; more; more = cursor.advance()) {
      SortedCursor current = cursor.current();
      byte[] key = new byte[current.keyLength()];
      Mem.copyOut(current.keyAddress(), key, 0, key.length);
      rows.add(
          new Row(new Entry(key, current.lsn(), (byte) 0, new byte[0]), cursor.currentIndex()));
      currents.add(current);
      seconds.add(cursor.second());
    }
    requireSeconds(currents, seconds);
    return rows;
  }

  /** The second source is the one of the next entry that is not of the first. */
  private static void requireSeconds(List<SortedCursor> currents, List<SortedCursor> seconds) {
    SortedCursor other = null;
    for (int i = currents.size() - 1; i >= 0; i--) {
      boolean isLast = i + 1 == currents.size();
      if (!isLast && currents.get(i + 1) != currents.get(i)) {
        other = currents.get(i + 1);
      }
      assertThat(seconds.get(i)).as("at row %d", i).isSameAs(other);
    }
  }

  private static String text(List<Row> rows) {
    StringBuilder text = new StringBuilder();
    rows.forEach(row -> text.append(row.source()).append(':').append(row.entry()).append(' '));
    return text.toString();
  }

  @Test
  void showsAllSourcesInOneOrder() {
    long key = Mem.allocate(64, 8);
    for (long seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      int count = random.nextInt(10);
      boolean forward = random.nextBoolean();
      List<Row> all = new ArrayList<>();
      SortedCursor[] sources = new SortedCursor[count];
      for (int i = 0; i < count; i++) {
        List<Entry> entries = source(random);
        sources[i] = new SortedCursor(entries, forward);
        for (Entry e : entries) {
          all.add(new Row(e, i));
        }
      }
      Comparator<Row> byKey = Comparator.comparing(r -> r.entry().key(), Arrays::compareUnsigned);
      all.sort((forward ? byKey : byKey.reversed()).thenComparing(Row::source));
      MergingCursor<SortedCursor> cursor = new MergingCursor<>(sources.clone(), forward);
      assertThat(text(walk(cursor, cursor.begin()))).as("seed %d", seed).isEqualTo(text(all));
      for (int probe = 0; probe < 3; probe++) {
        byte[] from = key(random);
        Mem.copyIn(from, 0, key, from.length);
        List<Row> expected =
            all.stream()
                .filter(
                    r -> {
                      int order = Arrays.compareUnsigned(r.entry().key(), from);
                      return forward ? order >= 0 : order < 0;
                    })
                .toList();
        for (SortedCursor source : sources) {
          source.seek(key, from.length);
        }
        assertThat(text(walk(cursor, cursor.start())))
            .as("seed %d from %s", seed, Arrays.toString(from))
            .isEqualTo(text(expected));
      }
      cursor.close();
      for (SortedCursor source : sources) {
        assertThat(source.isClosed()).isTrue();
      }
    }
    Mem.free(key);
  }
}
