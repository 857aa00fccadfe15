package org.loam.common.env.real;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BusyTimeTest {
  private final BusyTime busy = new BusyTime();

  @Test
  void theTimeIsThatOfOneProcessor() {
    assertThat(busy.until(0, 2)).isZero();
    assertThat(busy.until(100, 2)).isEqualTo(50);
    assertThat(busy.until(300, 2)).isEqualTo(150);
  }

  /** All that was used would be 100 for each of four processors. */
  @Test
  void processorsThatComeOrGoChangeNothingOfWhatWas() {
    assertThat(busy.until(400, 2)).isEqualTo(200);
    assertThat(busy.until(400, 4)).isEqualTo(200);
    assertThat(busy.until(800, 4)).isEqualTo(300);
    assertThat(busy.until(900, 1)).isEqualTo(400);
  }

  @Test
  void whatIsNotKnownOrLateAddsNothing() {
    assertThat(busy.until(400, 2)).isEqualTo(200);
    assertThat(busy.until(-1, 2)).isEqualTo(200);
    assertThat(busy.until(300, 2)).isEqualTo(200);
    assertThat(busy.until(500, 2)).isEqualTo(250);
  }
}
