package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.loam.lsm.visibility.ReadRegistry;

/** What a put of a key with many versions looks at, and how many versions stay in vain. */
class VersionChainTest {
  private static final byte[] KEY = Fixture.bytes("hot");
  private static final byte[] VALUE = new byte[0];

  /** Puts versions of one key, each published at once, and counts what is asked. */
  private static final class HotKey implements VersionRetention, AutoCloseable {
    final Fixture fixture = new Fixture(2048, 4096);
    final ReadRegistry reads = new ReadRegistry(() -> this.published);
    private final int frameBytes;
    private long published = 1;
    private long asked;

    HotKey(int frameBytes) {
      this.frameBytes = frameBytes;
    }

    @Override
    public boolean needs(long olderLsn, long newerLsn) {
      asked++;
      return reads.needs(olderLsn, newerLsn);
    }

    void put() {
      fixture.put(KEY, VALUE, published, this);
      published += frameBytes;
    }

    /** All versions that are there, except those that were unlinked. */
    int versions() {
      VersionCursor cursor = new VersionCursor(fixture.component, VersionRetention.ALL);
      int count = 0;
      for (boolean more = cursor.first(); more; more = cursor.next()) {
        count++;
      }
      cursor.close();
      return count;
    }

    void checkEveryReader(Iterable<Long> readLsns) {
      for (long readLsn : readLsns) {
        assertThat(fixture.find(KEY, readLsn)).isPositive();
        assertThat(MemoryRecord.lsn(fixture.find(KEY, readLsn)))
            .isEqualTo(readLsn + 1 - frameBytes);
      }
    }

    @Override
    public void close() {
      fixture.close();
    }
  }

  @Test
  void aPutDoesNotLookAtAllVersionsThatSnapshotsKeep() {
    int puts = 2000;
    for (int frameBytes : new int[] {1, 8, 55, 64, 100, 987, 4096}) {
      try (HotKey key = new HotKey(frameBytes)) {
        ArrayDeque<Long> readers = new ArrayDeque<>();
        for (int i = 0; i < puts; i++) {
          key.put();
          readers.add(key.reads.register());
        }
        assertThat(key.versions()).isEqualTo(puts);
        // 4 + 2 * log2(2000 / 4) = 22 of the 1000 that there are on average.
        assertThat(key.asked).as("frames of %d", frameBytes).isLessThan(32L * puts);
        key.checkEveryReader(readers);
      }
    }
  }

  @Test
  void withoutReadersAPutLooksAtTwoVersions() {
    try (HotKey key = new HotKey(64)) {
      for (int i = 0; i < 2000; i++) {
        key.put();
      }
      // The newest, and the one below it, which was needed until the newest was published.
      assertThat(key.versions()).isEqualTo(2);
      assertThat(key.asked).isEqualTo(1999 + 1998);
    }
  }

  /** There is a young reader all the time, so that no put has to look below its version. */
  @Test
  void fewVersionsStayInVainWhileReadersComeAndGo() {
    int live = 10;
    for (int frameBytes : new int[] {1, 8, 55, 64, 100, 987, 4096}) {
      try (HotKey key = new HotKey(frameBytes)) {
        ArrayDeque<Long> readers = new ArrayDeque<>();
        int most = 0;
        for (int i = 0; i < 4000; i++) {
          key.put();
          readers.add(key.reads.register());
          if (readers.size() > live) {
            key.reads.release(readers.remove());
          }
          if (i % 10 == 0) {
            most = Math.max(most, key.versions());
          }
        }
        assertThat(most).as("frames of %d", frameBytes).isLessThan(16 * live);
        key.checkEveryReader(readers);
      }
    }
  }

  @Test
  void versionsOfReleasedSnapshotsGoAlthoughAYoungerOneStays() {
    try (HotKey key = new HotKey(64)) {
      ArrayDeque<Long> readers = new ArrayDeque<>();
      for (int i = 0; i < 500; i++) {
        key.put();
        readers.add(key.reads.register());
      }
      while (readers.size() > 5) {
        key.reads.release(readers.remove());
      }
      for (int i = 0; i < 2000; i++) {
        key.put();
      }
      assertThat(key.versions()).isEqualTo(readers.size() + 2);
      key.checkEveryReader(readers);
      readers.forEach(key.reads::release);
      key.put();
      assertThat(key.versions()).isEqualTo(2);
    }
  }

  /** Marks of gaps tell the truth also below the depth that a put looks at. */
  @Test
  void aReaderThatIsNotRegisteredNeverGetsASupersededVersion() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      try (HotKey key = new HotKey(1)) {
        ArrayDeque<Long> readers = new ArrayDeque<>();
        for (int i = 0; i < 300; i++) {
          key.put();
          if (random.nextInt(3) == 0) {
            readers.add(key.reads.register());
          }
          if (!readers.isEmpty() && random.nextInt(4) == 0) {
            if (random.nextBoolean()) {
              readers.addFirst(readers.removeLast());
            }
            key.reads.release(readers.remove());
          }
          // LSN l is the version that is visible at read LSN l, and no other may pass for it.
          long readLsn = 1 + random.nextInt(i + 1);
          long found = key.fixture.find(KEY, readLsn);
          assertThat(found).isNotEqualTo(MemoryComponent.NOT_VISIBLE);
          if (found > 0) {
            assertThat(MemoryRecord.lsn(found)).as("seed %d", seed).isEqualTo(readLsn);
          }
          key.checkEveryReader(readers);
        }
      }
    }
  }
}
