package org.loam.lsm.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.loam.common.key.EntryKind;
import org.loam.common.mem.Mem;
import org.loam.lsm.read.MergingCursor;
import org.loam.lsm.read.SortedCursor;
import org.loam.lsm.read.SortedCursor.Entry;
import org.loam.lsm.visibility.ReadRegistry;

/**
 * What a merge keeps, against what readers see: each reader finds in the result, with what lies
 * below it, the same as in the inputs; and nothing is kept that no reader can see.
 */
class MergeStreamTest {
  private static final int KEYS = 6;

  private final Random random;
  private final List<List<Entry>> inputs = new ArrayList<>();
  private final List<Long> readers = new ArrayList<>();
  private final ReadRegistry registry;
  private long nextLsn = 1;

  MergeStreamTest() {
    this.random = new Random(1);
    this.registry = new ReadRegistry(() -> nextLsn);
  }

  /** Some components, oldest made first, each with versions in an LSN range of its own. */
  private void makeInputs() {
    inputs.clear();
    for (int n = 1 + random.nextInt(4); n > 0; n--) {
      TreeMap<byte[], List<Entry>> versions = new TreeMap<>(Arrays::compareUnsigned);
      for (int i = random.nextInt(15); i >= 0; i--) {
        byte[] key = {(byte) random.nextInt(KEYS)};
        byte kind = random.nextInt(3) == 0 ? EntryKind.ANTI_MATTER : EntryKind.PUT;
        byte[] value = new byte[kind == EntryKind.PUT ? random.nextInt(5) : 0];
        versions
            .computeIfAbsent(key, k -> new ArrayList<>())
            .add(0, new Entry(key, nextLsn, kind, value));
        nextLsn += 1 + random.nextInt(3);
        if (random.nextInt(8) == 0) {
          readers.add(registry.register());
        }
      }
      List<Entry> component = new ArrayList<>();
      versions.values().forEach(component::addAll);
      inputs.add(0, component);
    }
  }

  private List<Entry> merge(ReadRegistry.Moment moment, boolean keepLsns, boolean dropAntiMatter) {
    SortedCursor[] sources = inputs.stream().map(SortedCursor::new).toArray(SortedCursor[]::new);
    List<Entry> merged = new ArrayList<>();
    MergeStream<SortedCursor> stream =
        new MergeStream<>(new MergingCursor<>(sources, true), moment, keepLsns, dropAntiMatter);
    byte[] last = null;
    EntryStream.Next found = stream.next();
    for (; found != EntryStream.Next.END; found = stream.next()) {
      if (found == EntryStream.Next.NOTHING_YET) {
        continue;
      }
      org.loam.lsm.read.Entry e = stream.entry();
      byte[] key = new byte[e.keyLength()];
      Mem.copyOut(e.keyAddress(), key, 0, key.length);
      assertThat(stream.isNewKey()).isEqualTo(!Arrays.equals(key, last));
      merged.add(new Entry(key, e.lsn(), e.kind(), new byte[e.valueLength()]));
      last = key;
    }
    stream.close();
    return merged;
  }

  /** The newest version at or below a read LSN; null if there is none. */
  private static Entry visible(List<Entry> entries, int key, long readLsn) {
    Entry newest = null;
    for (Entry e : entries) {
      boolean better = newest == null || e.lsn() > newest.lsn();
      if (e.key()[0] == key && e.lsn() <= readLsn && better) {
        newest = e;
      }
    }
    return newest;
  }

  @Test
  void everyReaderFindsTheSameAndNothingMoreIsKept() {
    long older = 0;
    for (int round = 0; round < 4000; round++) {
      makeInputs();
      List<Entry> all = inputs.stream().flatMap(List::stream).toList();
      long min = all.stream().mapToLong(Entry::lsn).min().orElseThrow();
      long max = all.stream().mapToLong(Entry::lsn).max().orElseThrow();
      ReadRegistry.Moment moment = registry.capture();
      boolean keepLsns = moment.anyWithin(min, max);
      boolean dropAntiMatter = random.nextBoolean();
      List<Entry> merged = merge(moment, keepLsns, dropAntiMatter);
      List<Long> all1 = new ArrayList<>(readers);
      all1.add(nextLsn - 1);
      for (long readLsn : all1) {
        // A file without LSNs shows itself to readers at or above its largest only.
        boolean shown = keepLsns || readLsn >= max;
        for (int key = 0; key < KEYS; key++) {
          Entry expected = visible(all, key, readLsn);
          Entry found = shown ? visible(merged, key, readLsn) : null;
          boolean gone =
              expected != null
                  && expected.kind() == EntryKind.ANTI_MATTER
                  && dropAntiMatter
                  && !keepLsns;
          assertThat(String.valueOf(found))
              .as("round %d, key %d at %d of %s: %s", round, key, readLsn, inputs, merged)
              .isEqualTo(gone ? "null" : String.valueOf(expected));
        }
      }
      requireNothingUseless(all1, merged);
      older += merged.size() - merged.stream().map(e -> e.key()[0]).distinct().count();
      while (readers.size() > 3) {
        registry.release(readers.remove(random.nextInt(readers.size())));
      }
    }
    assertThat(older).as("older versions kept for readers").isGreaterThan(500);
  }

  /** Each entry but the newest of its key is what some reader sees. */
  private static void requireNothingUseless(List<Long> readLsns, List<Entry> merged) {
    Map<Byte, Entry> newer = new TreeMap<>();
    for (Entry e : merged) {
      Entry over = newer.put(e.key()[0], e);
      if (over != null) {
        assertThat(readLsns).anyMatch(r -> r >= e.lsn() && r < over.lsn());
      }
    }
  }

  @Test
  void antiMatterGoesOnlyWhereNothingOlderLies() {
    byte[] key = {1};
    inputs.add(List.of(new Entry(key, 7, EntryKind.ANTI_MATTER, new byte[0])));
    inputs.add(List.of(new Entry(key, 3, EntryKind.PUT, new byte[2])));
    nextLsn = 8;
    assertThat(merge(registry.capture(), false, true)).isEmpty();
    assertThat(merge(registry.capture(), false, false)).hasSize(1);
  }

  /** A step of a merge looks at its quantum only when the stream comes back. */
  @Test
  void itComesBackAfterSomeBytesThatAreDropped() {
    int dropped = 500;
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < dropped; i++) {
      byte[] key = {1, (byte) (i >> 8), (byte) i};
      entries.add(new Entry(key, nextLsn++, EntryKind.ANTI_MATTER, new byte[100]));
    }
    entries.add(new Entry(new byte[] {2}, nextLsn++, EntryKind.PUT, new byte[1]));
    SortedCursor[] sources = {new SortedCursor(entries)};
    try (MergeStream<SortedCursor> stream =
        new MergeStream<>(new MergingCursor<>(sources, true), registry.capture(), false, true)) {
      int returns = 0;
      long consumedBytes = 0;
      for (EntryStream.Next found = stream.next();
          found == EntryStream.Next.NOTHING_YET;
          found = stream.next()) {
        returns++;
        assertThat(stream.consumedBytes() - consumedBytes).isBetween(1L, 17L << 10);
        consumedBytes = stream.consumedBytes();
      }
      assertThat(returns).isEqualTo(dropped * (16 + 3 + 100) / (16 << 10));
      assertThat(stream.entry().kind()).isEqualTo(EntryKind.PUT);
      assertThat(stream.entry().keyLength()).isOne();
      assertThat(stream.isNewKey()).isTrue();
      assertThat(stream.next()).isEqualTo(EntryStream.Next.END);
    }
  }
}
