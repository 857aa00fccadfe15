package org.loam.engine.commit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageQueueTest {
  private final BatchRoom.PageQueue queue = new BatchRoom.PageQueue();

  @Test
  void aBatchWaitsBehindThoseThatCameEarlier() {
    long first = queue.join(3);
    long second = queue.join(2);
    assertThat(queue.pages()).isEqualTo(5);
    assertThat(queue.pagesBefore(first, 3)).isZero();
    assertThat(queue.pagesBefore(second, 2)).isEqualTo(3);
    queue.leave(3);
    assertThat(queue.pages()).isEqualTo(2);
    assertThat(queue.pagesBefore(second, 2)).isZero();
    queue.leave(2);
    assertThat(queue.pages()).isZero();
  }

  /** Its pages count as if they had been the first, and no batch waits for less than nothing. */
  @Test
  void aBatchMayGiveUp() {
    long first = queue.join(3);
    queue.join(5);
    long third = queue.join(1);
    queue.leave(5);
    assertThat(queue.pagesBefore(first, 3)).isZero();
    assertThat(queue.pagesBefore(third, 1)).isEqualTo(3);
    queue.leave(3);
    assertThat(queue.pagesBefore(third, 1)).isZero();
    assertThat(queue.pages()).isEqualTo(1);
  }
}
