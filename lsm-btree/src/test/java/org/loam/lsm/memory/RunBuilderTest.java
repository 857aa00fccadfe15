package org.loam.lsm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** A component that is made from another one has what was needed of it, in less memory. */
class RunBuilderTest {
  private static MemoryComponent copy(Fixture from, VersionRetention retention) {
    RunBuilder builder = new RunBuilder(Fixture.component(from.quota, from.pool.pageBytes()));
    assertThat(builder.isEmpty()).isTrue();
    byte[] last = null;
    try (VersionCursor entries = new VersionCursor(from.component, retention)) {
      for (boolean more = entries.first(); more; more = entries.next()) {
        byte[] key = Fixture.key(entries);
        assertThat(builder.add(entries, !java.util.Arrays.equals(key, last))).isTrue();
        last = key;
      }
    }
    return builder.finish();
  }

  @Test
  void readersSeeInTheCopyWhatTheySawInTheOriginal() {
    Random random = new Random(1);
    try (Fixture from = new Fixture(1024, 4096)) {
      for (int lsn = 1; lsn <= 3000; lsn++) {
        byte[] value = new byte[random.nextInt(50) == 0 ? 9000 : random.nextInt(40)];
        random.nextBytes(value);
        from.put(Fixture.bytes("key" + random.nextInt(700)), value, lsn, Fixture.KEEP_ALL);
      }
      MemoryComponent copy = copy(from, Fixture.KEEP_ALL);
      for (long readLsn : new long[] {0, 1, 50, 700, 1500, 2999, Long.MAX_VALUE}) {
        assertThat(Fixture.rows(copy, readLsn)).isEqualTo(Fixture.rows(from.component, readLsn));
      }
      assertThat(copy.keyCount()).isEqualTo(from.component.keyCount());
      assertThat(copy.minLsn()).isEqualTo(1);
      assertThat(copy.maxLsn()).isEqualTo(3000);
      assertThat(copy.isFrozen()).isTrue();
      copy.release();
    }
  }

  @Test
  void theOldestWriteIsThatOfWhatWasCopied() {
    try (Fixture from = new Fixture(64, 4096)) {
      from.put("a", "old", 3, Fixture.KEEP_ALL);
      from.put("b", "only", 5, Fixture.KEEP_ALL);
      from.put("a", "new", 9, Fixture.KEEP_ALL);
      MemoryComponent copy = copy(from, Fixture.KEEP_NONE);
      assertThat(Fixture.rows(copy, Long.MAX_VALUE)).containsExactly("a=new@9", "b=only@5");
      assertThat(copy.minLsn()).isEqualTo(5);
      assertThat(from.component.minLsn()).isEqualTo(3);
      copy.release();
    }
  }

  @Test
  void nodesOfACopyAreFull() {
    try (Fixture from = new Fixture(1024, 4096)) {
      Random random = new Random(7);
      for (int lsn = 1; lsn <= 20_000; lsn++) {
        from.put(Fixture.bytes("k" + random.nextInt()), new byte[0], lsn, Fixture.KEEP_NONE);
      }
      MemoryComponent copy = copy(from, Fixture.KEEP_NONE);
      assertThat(copy.usedBytes()).isLessThan(from.component.usedBytes() * 9 / 10);
      copy.release();
    }
  }

  @Test
  void aCopyWithoutMemoryIsAbandoned() {
    try (Fixture from = new Fixture(6, 4096)) {
      for (int i = 0; i < 4; i++) {
        from.put("k" + i, "v".repeat(3000), 1 + i, Fixture.KEEP_NONE);
      }
      RunBuilder builder = new RunBuilder(Fixture.component(from.quota, 4096));
      boolean fits = true;
      try (VersionCursor entries = new VersionCursor(from.component, Fixture.KEEP_NONE)) {
        for (boolean more = entries.first(); more && fits; more = entries.next()) {
          fits = builder.add(entries, true);
        }
      }
      assertThat(fits).isFalse();
      int before = from.quota.usedPages();
      builder.abandon();
      assertThat(from.quota.usedPages()).isLessThan(before);
    }
  }
}
