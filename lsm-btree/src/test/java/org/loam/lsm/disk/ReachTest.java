package org.loam.lsm.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.cache.AccessClass;
import org.loam.cache.BufferCache;
import org.loam.cache.PageSource;
import org.loam.cache.ReadIntent;
import org.loam.common.env.StorageFiles;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.EntryCursor;

/** How many leaves a cursor asks for at once. */
class ReachTest {
  private static final int PAGE_BYTES = 4096;
  private static final int KEYS = 400;

  /** More than four go into a page, less than nine: so eight leaves hold at most 64 keys. */
  private static final int VALUE_BYTES = 450;

  @TempDir Path directory;

  /** Notes how many leaves each call wants, downward as a negative number. */
  private static final class Wanted implements BufferCache {
    private final BufferCache cache;
    final List<Integer> leaves = new ArrayList<>();

    Wanted(BufferCache cache) {
      this.cache = cache;
    }

    @Override
    public int pageBytes() {
      return cache.pageBytes();
    }

    @Override
    public long pin(PageSource source, int pageNo, ReadIntent intent) {
      if (intent.access() == AccessClass.QUERY) {
        leaves.add(1);
      }
      return cache.pin(source, pageNo, intent);
    }

    @Override
    public long pinStretch(PageSource source, int pageNo, int lastPageNo, ReadIntent intent) {
      leaves.add(lastPageNo < pageNo ? lastPageNo - pageNo - 1 : lastPageNo - pageNo + 1);
      return cache.pin(source, pageNo, intent);
    }

    @Override
    public void unpin(long address) {
      cache.unpin(address);
    }

    @Override
    public void purge(int fileId, int pageCount) {
      cache.purge(fileId, pageCount);
    }
  }

  private static byte[] key(int i) {
    return String.format("key%05d", i).getBytes(UTF_8);
  }

  private Path newDirectory() {
    return assertDoesNotThrow(() -> Files.createTempDirectory(directory, "table"));
  }

  /** What a cursor asks for that begins at a key and shows {@code count} entries. */
  private List<Integer> wanted(int leaves, int end, ReadIntent intent, int from, int count) {
    return wanted(leaves, end, intent, true, from, count);
  }

  private List<Integer> wantedDown(int leaves, int end, int from, int count) {
    return wanted(leaves, end, ReadIntent.QUERY, false, from, count);
  }

  private List<Integer> wanted(
      int leaves, int end, ReadIntent intent, boolean forward, int from, int count) {
    return withTable(
        (table, wanted) -> {
          byte[] endKey = key(end);
          DiskFixture.withKey(
              endKey,
              address -> {
                boolean isBounded = end >= 0 && end < KEYS;
                Way way = new Way(isBounded ? address : 0, endKey.length, 0);
                try (EntryCursor cursor = table.cursor(1, intent, new Reach(leaves, way))) {
                  boolean more = move(cursor, from, forward);
                  for (int i = 1; i < count && more; i++) {
                    more = forward ? cursor.next() : cursor.previous();
                  }
                }
                return null;
              });
          return wanted;
        });
  }

  private static boolean move(EntryCursor cursor, int from, boolean forward) {
    return forward ? DiskFixture.ceiling(cursor, key(from)) : DiskFixture.lower(cursor, key(from));
  }

  private <T> T withTable(BiFunction<SSTable, List<Integer>, T> use) {
    List<TestEntry> entries =
        IntStream.range(0, KEYS)
            .mapToObj(i -> new TestEntry(key(i), EntryKind.PUT, 1, new byte[VALUE_BYTES]))
            .toList();
    try (DiskFixture disk = new DiskFixture(newDirectory(), PAGE_BYTES)) {
      SSTableMeta meta = disk.write(disk.options(false), entries);
      Wanted wanted = new Wanted(disk.cache);
      SSTable table =
          SSTable.open(
              meta,
              disk.env.files().open(disk.path(meta.fileId()), StorageFiles.Mode.READ),
              wanted);
      T result = use.apply(table, wanted.leaves);
      disk.drop(table);
      return result;
    }
  }

  @Test
  void asManyAsAreExpectedThenTwiceAsManyEachTime() {
    assertThat(wanted(4, KEYS, ReadIntent.QUERY, 0, 14 * 8))
        .startsWith(4, 3, 2, 1, 2, 1, 4, 3, 2, 1, 8, 7);
  }

  @Test
  void oneAtFirstIfNothingIsKnown() {
    assertThat(wanted(1, KEYS, ReadIntent.QUERY, 0, 8 * 8)).startsWith(1, 2, 1, 4, 3, 2, 1, 8);
  }

  @Test
  void noneBehindTheEndOfTheRange() {
    List<Integer> all = wanted(60, KEYS, ReadIntent.QUERY, 100, 1);
    List<Integer> near = wanted(60, 116, ReadIntent.QUERY, 100, 1);
    assertThat(all.get(0)).isGreaterThan(20);
    assertThat(near.get(0)).isBetween(3, 4);
    assertThat(wanted(60, 101, ReadIntent.QUERY, 100, 1).get(0)).isBetween(1, 2);
    assertThat(wanted(60, 50, ReadIntent.QUERY, 100, 1))
        .as("an end before the start")
        .containsExactly(1);
  }

  @Test
  void asManyIfTheyAreNotToStay() {
    assertThat(wanted(4, KEYS, ReadIntent.QUERY_ONCE, 0, 14 * 8))
        .isEqualTo(wanted(4, KEYS, ReadIntent.QUERY, 0, 14 * 8));
  }

  @Test
  void goingDownAsGoingUp() {
    assertThat(wantedDown(4, -1, KEYS, 14 * 8))
        .startsWith(-4, -3, -2, 1, -2, 1, -4, -3, -2, 1, -8, -7);
    assertThat(wantedDown(1, -1, KEYS, 8 * 8)).startsWith(1, -2, 1, -4, -3, -2, 1, -8);
  }

  @Test
  void noneBeforeTheEndOfTheRange() {
    List<Integer> all = wantedDown(60, -1, 300, 1);
    List<Integer> near = wantedDown(60, 284, 300, 1);
    assertThat(all.get(0)).isLessThan(-20);
    assertThat(near.get(0)).isBetween(-5, -2);
    assertThat(wantedDown(60, 350, 300, 1)).as("an end behind the start").containsExactly(1);
  }

  /** Leaves that are wanted at first, by a cursor behind one that leads. */
  private int wantedBehind(int leaderLeaves, int from, boolean forward) {
    return withTable(
        (table, wanted) -> {
          long lead = Mem.allocate(Way.LEAD_BYTES, Long.BYTES);
          try {
            Way way = new Way(0, 0, lead);
            Reach leading = new Reach(leaderLeaves, way, true, 0, Reach.ReadAhead.NONE);
            for (Reach reach : List.of(leading, new Reach(2, way))) {
              try (EntryCursor cursor = table.cursor(1, ReadIntent.QUERY, reach)) {
                wanted.clear();
                move(cursor, from, forward);
              }
            }
          } finally {
            Mem.free(lead);
          }
          return wanted.get(0);
        });
  }

  /** Upward with the leaf in which the place lies. */
  @Test
  void upToWhereTheLeaderGets() {
    assertThat(wantedBehind(9, 0, true)).isEqualTo(10);
    assertThat(wantedBehind(9, KEYS, false)).isEqualTo(-9);
    assertThat(wantedBehind(12, 100, true)).isEqualTo(13);
  }

  @Test
  void asManyAsAreExpectedIfTheLeaderDoesNotSeeItsEnd() {
    assertThat(wantedBehind(KEYS, 0, true)).isEqualTo(2);
    assertThat(wantedBehind(KEYS, KEYS, false)).isEqualTo(-2);
  }
}
