package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.loam.lsm.memory.Fixture.KEEP_NONE;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.loam.common.key.EntryKind;

/** A quota may end anywhere: nothing fails later than it says, nothing leaks, nothing is lost. */
class MemoryQuotaTest {
  @Test
  void everyQuotaIsUsedUpCleanly() {
    for (int pages = 0; pages <= 40; pages++) {
      try (Fixture fixture = new Fixture(Math.max(1, pages), 4096)) {
        PageHog hog = new PageHog(fixture, pages);
        List<byte[]> keys = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(pages);
        boolean full = false;
        while (!full) {
          byte[] key = new byte[12];
          random.nextBytes(key);
          byte[] value = new byte[random.nextInt(20) == 0 ? random.nextInt(9000) : 60];
          long record = fixture.component.prepare(EntryKind.PUT, key, value);
          full = record == 0 || !fixture.component.reserve(1);
          if (!full) {
            fixture.component.insert(record, keys.size(), KEEP_NONE);
            keys.add(key);
          }
        }
        assertThat(fixture.component.usedBytes()).isEqualTo(4096L * pages);
        for (int i = 0; i < keys.size(); i++) {
          assertThat(MemoryRecord.lsn(fixture.find(keys.get(i), Long.MAX_VALUE))).isEqualTo(i);
        }
        hog.release();
      }
    }
  }

  /** Takes pages away, so that a quota ends early. */
  private record PageHog(Fixture fixture, List<Long> taken) {
    PageHog(Fixture fixture, int leave) {
      this(fixture, new ArrayList<>());
      for (int i = fixture.pool.pageCount() - leave; i > 0; i--) {
        taken.add(fixture.quota.allocate());
      }
    }

    void release() {
      taken.forEach(fixture.quota::free);
    }
  }

  @Test
  void aLargeValueThatFindsNoPageIsCountedAsWaste() {
    try (Fixture fixture = new Fixture(8, 4096)) {
      assertThat(fixture.component.prepare(EntryKind.PUT, new byte[9], new byte[40_000])).isZero();
      assertThat(fixture.component.usedBytes()).isEqualTo(8 * 4096);
      assertThat(fixture.component.wastedBytes()).isBetween(8 * 4096L - 300, 8 * 4096L);
    }
  }

  /** It would be most of what the next attempt needs. */
  @Test
  void aVeryLargeValueThatFindsTooFewPagesTakesNone() {
    try (Fixture fixture = new Fixture(300, 4096)) {
      byte[] value = new byte[(1 << 20) + 1];
      assertThat(fixture.component.prepare(EntryKind.PUT, new byte[9], value)).isPositive();
      long used = fixture.component.usedBytes();
      assertThat(used).isBetween(257L * 4096, 260L * 4096);
      assertThat(fixture.component.prepare(EntryKind.PUT, new byte[9], value)).isZero();
      assertThat(fixture.component.usedBytes()).isEqualTo(used);
      assertThat(fixture.quota.usedPages()).isEqualTo(used / 4096);
      assertThat(fixture.component.wastedBytes()).isLessThan(3 * 4096 + 260 * 8);
      assertThat(fixture.component.prepare(EntryKind.PUT, new byte[9], new byte[9])).isPositive();
    }
  }

  /** A record alone in as many pages as the bound says; and one byte more may not fit. */
  @Test
  void theLargestRecordOfSomePagesFitsIntoThem() {
    SplittableRandom random = new SplittableRandom(9);
    for (int round = 0; round < 100; round++) {
      int pageBytes = 4096 << random.nextInt(4);
      int pages = 10 + random.nextInt(1 << random.nextInt(1, 11));
      long most = MostPages.dataBytes(pages, pageBytes);
      assertThat(most).isGreaterThan((pages - 9L) * (pageBytes - 200));
      try (Fixture fixture = new Fixture(pages, pageBytes)) {
        byte[] key = new byte[random.nextInt(pageBytes / 4 + 1)];
        byte[] value = new byte[(int) most - key.length];
        random.nextBytes(value);
        long record = fixture.component.prepare(EntryKind.PUT, key, value);
        assertThat(record).as("%d bytes in %d pages of %d", most, pages, pageBytes).isPositive();
        assertThat(fixture.component.reserve(1)).isTrue();
        fixture.component.insert(record, 1, KEEP_NONE);
        assertThat(Fixture.value(fixture.find(key, 1))).isEqualTo(value);
        assertThat(MostPages.ofNodes(1, 1, pageBytes) + MostPages.ofRecords(1, most, pageBytes))
            .isLessThanOrEqualTo(pages);
      }
    }
  }

  @Test
  void quotaFreedByOthersServesTheNextAttempt() {
    try (Fixture fixture = new Fixture(4, 4096)) {
      long page = fixture.quota.allocate();
      assertThat(fixture.component.prepare(EntryKind.PUT, new byte[9], new byte[9000]))
          .isPositive();
      assertThat(fixture.component.reserve(1)).isFalse();
      fixture.quota.free(page);
      assertThat(fixture.component.reserve(1)).isTrue();
    }
  }

  /**
   * Inserts exactly what was reserved, in every pattern: the arena throws if that was too little.
   */
  @ParameterizedTest
  @EnumSource(KeyShape.class)
  void whatIsReservedSuffices(KeyShape shape) {
    SplittableRandom random = new SplittableRandom(shape.name().length());
    try (Fixture fixture = new Fixture(20_000, 4096)) {
      int lsn = 0;
      while (lsn < 20_000) {
        int batch = 1 << random.nextInt(13);
        assertThat(fixture.component.reserve(batch)).isTrue();
        for (int i = 0; i < batch; i++) {
          long record = fixture.component.prepare(EntryKind.PUT, shape.key(lsn), new byte[0]);
          fixture.component.insert(record, lsn++, KEEP_NONE);
        }
      }
    }
  }

  /** A batch that is let in because of what it can need at most does not need more. */
  @Test
  void noBatchNeedsMoreThanItsMost() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 300; round++) {
      int pageBytes = 4096 << random.nextInt(3);
      int count = 1 + random.nextInt(1 << random.nextInt(1, 12));
      int longestKey = 1 + random.nextInt(pageBytes / 4);
      int longestValue = 1 + random.nextInt(1 << random.nextInt(1, count < 8 ? 23 : 15));
      try (Fixture fixture = new Fixture(20_000, pageBytes)) {
        long dataBytes = 0;
        for (int i = 0; i < count; i++) {
          byte[] key = new byte[random.nextInt(longestKey + 1)];
          byte[] value = new byte[random.nextInt(longestValue)];
          dataBytes += key.length + value.length;
          assertThat(fixture.component.prepare(EntryKind.PUT, key, value)).isPositive();
        }
        assertThat(fixture.component.reserve(count)).isTrue();
        long most =
            MostPages.ofNodes(count, 1, pageBytes)
                + MostPages.ofRecords(count, dataBytes, pageBytes);
        assertThat(fixture.component.usedBytes())
            .as("round %d: %d records of %d bytes", round, count, dataBytes)
            .isLessThanOrEqualTo(most * pageBytes);
      }
    }
  }

  @Test
  void noBatchOverSeveralComponentsNeedsMoreThanItsMost() {
    SplittableRandom random = new SplittableRandom(8);
    for (int round = 0; round < 100; round++) {
      int pageBytes = 4096 << random.nextInt(3);
      int components = 1 + random.nextInt(20);
      int[] inserts = new int[components];
      int all = 0;
      for (int i = 0; i < components; i++) {
        inserts[i] = 1 + random.nextInt(1 << random.nextInt(1, 11));
        all += inserts[i];
      }
      long used = 0;
      for (int count : inserts) {
        try (Fixture fixture = new Fixture(20_000, pageBytes)) {
          assertThat(fixture.component.reserve(count)).isTrue();
          used += fixture.component.usedBytes();
        }
      }
      assertThat(used)
          .as("round %d: %d inserts in %d components", round, all, components)
          .isLessThanOrEqualTo(MostPages.ofNodes(all, components, pageBytes) * pageBytes);
    }
  }

  @Test
  void aLargeBatchReservesAboutWhatItCanNeed() {
    try (Fixture fixture = new Fixture(20_000, 4096)) {
      for (int i = 0; i < 20_000; i++) {
        fixture.put(KeyShape.RANDOM.key(i), new byte[0], i, KEEP_NONE);
      }
      long before = fixture.component.usedBytes();
      assertThat(fixture.component.reserve(20_000)).isTrue();
      // 650 leaves at most before, as many more for the batch, twice that as the worst case.
      assertThat(fixture.component.usedBytes() - before).isLessThan(4 * 650 * 1024 * 11L / 10);
    }
  }
}
