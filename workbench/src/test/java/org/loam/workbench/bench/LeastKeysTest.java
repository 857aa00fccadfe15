package org.loam.workbench.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.loam.workbench.workload.Keys;

/** What is known of scans that begin at one of the least keys. */
class LeastKeysTest {
  private static List<Long> ascending(long records) {
    return LongStream.range(0, records)
        .map(Keys::identity)
        .boxed()
        .sorted(Long::compareUnsigned)
        .toList();
  }

  @Test
  void ofASmallDatabaseEachGapIsFound() {
    List<Long> all = ascending(1_000);
    LeastKeys keys = LeastKeys.of(1_000);
    for (int from = 0; from < 998; from++) {
      assertThat(keys.isPassedOver(all.get(from), all.get(from + 1), 2)).isFalse();
      assertThat(keys.isPassedOver(all.get(from), all.get(from + 2), 2)).isTrue();
    }
    assertThat(keys.isPassedOver(all.get(0), all.get(999), 1_000)).isFalse();
    assertThat(keys.isPassedOver(all.get(0), all.get(999), 999)).isTrue();
    assertThat(keys.isPassedOver(all.get(999), all.get(999), 1)).isFalse();
  }

  @Test
  void ofALargeDatabaseThoseAtTheLeastKeysAre() {
    List<Long> all = ascending(100_000);
    LeastKeys keys = LeastKeys.of(100_000);
    for (int from = 0; from < 15_000; from++) {
      assertThat(keys.isPassedOver(all.get(from), all.get(from + 99), 100)).isFalse();
      assertThat(keys.isPassedOver(all.get(from), all.get(from + 100), 100)).isTrue();
    }
    for (int from = 18_000; from < 99_900; from++) {
      assertThat(keys.isPassedOver(all.get(from), all.get(from + 99), 100)).isFalse();
    }
  }

  /** A record that was inserted since may stand in a scan, and hides one that does not. */
  @Test
  void recordsOfLaterAreNoGap() {
    List<Long> all = ascending(1_000);
    LeastKeys keys = LeastKeys.of(1_000);
    assertThat(keys.isPassedOver(all.get(7), all.get(8), 3)).isFalse();
    assertThat(keys.isPassedOver(all.get(7), all.get(8) + 1, 3)).isFalse();
    assertThat(keys.isPassedOver(all.get(7) + 1, all.get(20), 2)).isFalse();
  }
}
