package org.loam.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.loam.log.format.SegmentLink;

class SegmentNumbersTest {
  private static final long SEGMENT_BYTES = 64 << 10;

  @Test
  void eachNumberIsGivenOnce() {
    SegmentNumbers numbers = new SegmentNumbers(SEGMENT_BYTES, 42, 3, 8, 5 * SEGMENT_BYTES);
    Set<Long> salts = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      SegmentLink link = numbers.nextLink();
      assertThat(link.sequence()).isEqualTo(8 + i);
      assertThat(link.baseLsn()).isEqualTo((5 + i) * SEGMENT_BYTES);
      assertThat(salts.add(link.salt())).as("salt %d is new", i).isTrue();
      assertThat(numbers.nextSlot()).isEqualTo(3 + i);
    }
  }

  @Test
  void aLifeOfTheLogHasSaltsOfItsOwn() {
    SegmentLink one = new SegmentNumbers(SEGMENT_BYTES, 42, 0, 8, 0).nextLink();
    SegmentLink other = new SegmentNumbers(SEGMENT_BYTES, 43, 0, 8, 0).nextLink();
    assertThat(one.salt()).isNotEqualTo(other.salt());
    assertThat(new SegmentNumbers(SEGMENT_BYTES, 42, 0, 8, 0).nextLink()).isEqualTo(one);
  }
}
