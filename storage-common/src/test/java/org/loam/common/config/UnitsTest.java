package org.loam.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class UnitsTest {
  @Test
  void sizesAreReadAndShownInTheLargestExactUnit() {
    assertThat(Units.parseBytes("512MiB")).isEqualTo(512L << 20);
    assertThat(Units.parseBytes("1GiB")).isEqualTo(1L << 30);
    assertThat(Units.parseBytes("3 TiB")).isEqualTo(3L << 40);
    assertThat(Units.parseBytes("7")).isEqualTo(7);
    assertThat(Units.parseBytes("7B")).isEqualTo(7);
    assertThat(Units.formatBytes(512L << 20)).isEqualTo("512MiB");
    assertThat(Units.formatBytes(1025)).isEqualTo("1025");
    assertThat(Units.formatBytes(0)).isEqualTo("0");
    assertThat(Units.formatBytes(1L << 50)).isEqualTo("1024TiB");
  }

  @Test
  void sizesForPeopleAreWholeMebibytes() {
    assertThat(Units.roundBytes(25_276_166_144L)).isEqualTo("24105MiB");
    assertThat(Units.roundBytes((16L << 30) + 1)).isEqualTo("16GiB");
    assertThat(Units.roundBytes((2L << 20) - 1)).isEqualTo("1MiB");
    assertThat(Units.roundBytes((1L << 20) - 1)).isEqualTo("1048575");
    assertThat(Units.roundBytes(0)).isEqualTo("0");
  }

  @Test
  void durationsAreReadAndShownInTheLargestExactUnit() {
    assertThat(Units.parseNanos("10s")).isEqualTo(10_000_000_000L);
    assertThat(Units.parseNanos("250ms")).isEqualTo(250_000_000);
    assertThat(Units.parseNanos("2 min")).isEqualTo(120_000_000_000L);
    assertThat(Units.formatNanos(250_000_000)).isEqualTo("250ms");
    assertThat(Units.formatNanos(3_600_000_000_000L)).isEqualTo("1h");
    assertThat(Units.formatNanos(1_500)).isEqualTo("1500ns");
    assertThat(Units.formatNanos(0)).isEqualTo("0ns");
  }

  @Test
  void whatIsShownReadsBackTheSame() {
    long seed = 11;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) {
      long v = (random.nextLong() >>> 1 >>> random.nextInt(63)) << random.nextInt(10) & -1L >>> 1;
      assertThat(Units.parseBytes(Units.formatBytes(v))).as("seed %d", seed).isEqualTo(v);
      assertThat(Units.parseNanos(Units.formatNanos(v))).as("seed %d", seed).isEqualTo(v);
    }
  }

  @Test
  void otherFormsAreRefusedByName() {
    for (String text : new String[] {"", "MiB", "-1", "1.5GiB", "5MB", "5mib", "5 5", "1KiBx"}) {
      assertThatThrownBy(() -> Units.parseBytes(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("'" + text + "' is no size");
    }
    for (String text : new String[] {"", "10", "s", "1.5s", "3days"}) {
      assertThatThrownBy(() -> Units.parseNanos(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("'" + text + "' is no duration");
    }
    for (String text : new String[] {"9999999999GiB", "9999999999999999999"}) {
      assertThatThrownBy(() -> Units.parseBytes(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("'" + text + "' is too large");
    }
  }
}
