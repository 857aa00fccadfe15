package org.loam.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryShareTest {
  private final MemoryShare share = new MemoryShare(12);

  @Test
  void aTreeThatWasNotFrozenHasAll() {
    assertThat(share.of(1 << 20)).isEqualTo(1 << 20);
  }

  @Test
  void itIsTheMeanOfWhatWasSeen() {
    share.add(0.5);
    assertThat(share.of(1000)).isEqualTo(500);
    share.add(0.25);
    share.add(0.75);
    assertThat(share.of(1000)).isEqualTo(500);
  }

  @Test
  void whatIsLongAgoFades() {
    for (int i = 0; i < 100; i++) {
      share.add(0.1);
    }
    share.add(0.9);
    assertThat(share.of(1000)).as("one of sixteen").isEqualTo(150);
    for (int i = 0; i < 100; i++) {
      share.add(0.9);
    }
    assertThat(share.of(1000)).isBetween(898L, 900L);
  }

  @Test
  void moreThanAllIsAll() {
    share.add(1.2);
    assertThat(share.of(1000)).isEqualTo(1000);
  }

  @Test
  void aSmallShareIsAsLargeAsATable() {
    share.add(0.01);
    assertThat(share.of(1000)).isEqualTo(12);
  }
}
