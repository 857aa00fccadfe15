package org.loam.dashboard.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.loam.dashboard.feed.FeedEvent;
import org.loam.dashboard.feed.Sampler;

/** What all connections share. Has one thread, that of the event loop. */
final class Site {
  /** Connections, with those that have not asked yet. */
  static final int MOST_CONNECTIONS = 32;

  private final Gate gate;
  private final byte[] page;
  private final Sampler sampler;
  private final Executor loop;
  private final Streams streams = new Streams();
  private int connections;

  /**
   * @param token that each request must have; null for none
   * @param html the page
   * @param sampler begins with the first browser, and stops with the last one
   * @param loop the one thread
   */
  Site(@Nullable String token, String html, Sampler sampler, Executor loop) {
    this.gate = new Gate(token);
    this.page = html.getBytes(UTF_8);
    this.sampler = sampler;
    this.loop = loop;
  }

  Gate gate() {
    return gate;
  }

  byte[] page() {
    return page;
  }

  /** Whether one more browser may listen. */
  boolean hasRoom() {
    return streams.count() < Streams.MOST;
  }

  /** A connection has begun; ends it if there are too many. */
  void opened(Channel channel) {
    if (++connections > MOST_CONNECTIONS) {
      var unused = channel.close();
    }
  }

  /** A browser listens from now on. */
  void listen(Channel channel) {
    streams.add(channel);
    sampler.start(this::publish);
  }

  /** A connection has ended, whether it listened or not. */
  void closed(Channel channel) {
    connections--;
    streams.remove(channel);
    if (streams.count() == 0) {
      sampler.stop();
    }
  }

  private void publish(List<FeedEvent> events) {
    loop.execute(() -> streams.send(events));
  }
}
