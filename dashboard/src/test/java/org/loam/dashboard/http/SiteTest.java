package org.loam.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.dashboard.BufferLeaks;
import org.loam.dashboard.FakeSource;
import org.loam.dashboard.feed.Feed;
import org.loam.dashboard.feed.Sampler;

/** While no browser looks, the engine is asked for nothing. */
@ExtendWith(BufferLeaks.class)
class SiteTest {
  private final Sampler sampler = new Sampler(new Feed(new FakeSource()));
  private final Site site = new Site(null, "<html>", sampler, look -> {});

  private EmbeddedChannel connection() {
    EmbeddedChannel channel = new EmbeddedChannel();
    site.opened(channel);
    return channel;
  }

  @Test
  void looksBeginWithTheFirstBrowserAndStopWithTheLastOne() {
    try (sampler) {
      EmbeddedChannel other = connection();
      assertThat(sampler.isOn()).isFalse();
      EmbeddedChannel one = connection();
      EmbeddedChannel two = connection();
      site.listen(one);
      site.listen(two);
      assertThat(sampler.isOn()).isTrue();
      site.closed(one);
      site.closed(other);
      assertThat(sampler.isOn()).isTrue();
      site.closed(two);
      assertThat(sampler.isOn()).isFalse();
      EmbeddedChannel again = connection();
      site.listen(again);
      assertThat(sampler.isOn()).isTrue();
    }
    assertThat(sampler.isOn()).isFalse();
  }

  @Test
  void aConnectionTooManyIsClosedAndItsPlaceIsFreeAfterwards() {
    try (sampler) {
      EmbeddedChannel first = connection();
      for (int i = 1; i < Site.MOST_CONNECTIONS; i++) {
        assertThat(connection().isOpen()).isTrue();
      }
      EmbeddedChannel tooMany = connection();
      assertThat(tooMany.isOpen()).isFalse();
      site.closed(tooMany);
      site.closed(first);
      assertThat(connection().isOpen()).isTrue();
    }
  }
}
