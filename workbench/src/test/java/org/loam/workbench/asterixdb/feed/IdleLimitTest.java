package org.loam.workbench.asterixdb.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.loam.workbench.console.CommandException;

class IdleLimitTest {
  @Test
  void aWaitEndsWhenNothingHasComeForTooLong() {
    AtomicLong seconds = new AtomicLong(-5);
    IdleLimit idle =
        new IdleLimit("the feed", 10, Duration.ofSeconds(60), () -> seconds.get() * 1_000_000_000L);
    seconds.set(55);
    assertThat(idle.more(0)).isZero();
    assertThat(idle.more(3)).isEqualTo(3);
    seconds.set(115);
    assertThat(idle.more(3)).isZero();
    assertThat(idle.more(4)).isEqualTo(1);
    seconds.set(176);
    assertThatThrownBy(() -> idle.more(4))
        .isInstanceOf(CommandException.class)
        .hasMessage("the feed has stopped after 4 of 10 records");
  }
}
