package org.loam.dashboard.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpContent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.loam.dashboard.BufferLeaks;
import org.loam.dashboard.FakeSource;
import org.loam.dashboard.feed.Feed;
import org.loam.dashboard.feed.FeedEvent;
import org.loam.dashboard.feed.FeedEvent.Kind;

/** What browsers are sent, and what becomes of slow ones. */
@ExtendWith(BufferLeaks.class)
@Timeout(60)
class StreamsTest {
  private final Streams streams = new Streams();

  private static FeedEvent event(Kind kind, String json) {
    return new FeedEvent(kind, json);
  }

  private static String taken(EmbeddedChannel channel) {
    StringBuilder text = new StringBuilder();
    for (HttpContent part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      text.append(part.content().toString(UTF_8));
      part.release();
    }
    return text.toString();
  }

  @Test
  void eachBrowserGetsEachEventAsAFrame() {
    EmbeddedChannel one = new EmbeddedChannel();
    EmbeddedChannel two = new EmbeddedChannel();
    streams.add(one);
    streams.add(two);
    streams.send(List.of(event(Kind.POINT, "{\"at\":1}"), event(Kind.DECISION, "{\"ä\":2}")));
    String frames = "event: POINT\ndata: {\"at\":1}\n\n" + "event: DECISION\ndata: {\"ä\":2}\n\n";
    assertThat(taken(one)).isEqualTo(frames);
    assertThat(taken(two)).isEqualTo(frames);
    streams.remove(one);
    streams.send(List.of(event(Kind.POINT, "{}")));
    assertThat(taken(one)).isEmpty();
    assertThat(taken(two)).isEqualTo("event: POINT\ndata: {}\n\n");
  }

  @Test
  void aLaterBrowserGetsWhatIsKeptOfThisOpening() {
    streams.send(List.of(event(Kind.OPENING, "{}"), event(Kind.POINT, "1")));
    streams.send(List.of(event(Kind.OPENING, "{}"), event(Kind.STATE, "2")));
    streams.send(
        List.of(event(Kind.POINT, "3"), event(Kind.DECISION, "4"), event(Kind.POINT, "5")));
    streams.send(List.of(event(Kind.STATE, "6")));
    EmbeddedChannel late = new EmbeddedChannel();
    streams.add(late);
    assertThat(taken(late))
        .isEqualTo(
            "event: OPENING\ndata: {}\n\nevent: DECISION\ndata: 4\n\nevent: POINT\ndata: 3\n\n"
                + "event: POINT\ndata: 5\n\nevent: STATE\ndata: 6\n\n");
  }

  @Test
  void whatIsKeptIsBounded() {
    for (int i = 0; i < 3000; i++) {
      streams.send(List.of(event(Kind.POINT, Integer.toString(i))));
    }
    EmbeddedChannel late = new EmbeddedChannel();
    streams.add(late);
    assertThat(taken(late)).startsWith("event: POINT\ndata: 1200\n").endsWith(" 2999\n\n");
    String large = "\"" + "x".repeat(1 << 20) + "\"";
    for (int i = 0; i < 5; i++) {
      streams.send(List.of(event(Kind.POINT, large)));
    }
    EmbeddedChannel later = new EmbeddedChannel();
    streams.add(later);
    assertThat(taken(later).length()).isBetween(1 << 20, 1 << 21);
  }

  /** So that the system notices a browser that has vanished without a word. */
  @Test
  void looksThatSayNothingAreFollowedByAComment() {
    Feed feed = new Feed(new FakeSource());
    EmbeddedChannel browser = new EmbeddedChannel();
    streams.add(browser);
    streams.send(feed.look());
    assertThat(taken(browser)).contains("event: STATE");
    for (int i = 0; i < 2; i++) {
      for (int look = 1; look < Streams.SILENT_LOOKS; look++) {
        streams.send(feed.look());
        assertThat(taken(browser)).isEmpty();
      }
      streams.send(feed.look());
      assertThat(taken(browser)).isEqualTo(":\n\n");
    }
    streams.send(List.of(event(Kind.POINT, "1")));
    assertThat(taken(browser)).isEqualTo("event: POINT\ndata: 1\n\n");
    streams.send(feed.look());
    assertThat(taken(browser)).isEmpty();
  }

  @Test
  void aBrowserThatDoesNotReadIsDropped() throws Exception {
    CountDownLatch joined = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Channel server = server(loop, joined, gone);
      try (Socket browser = new Socket()) {
        browser.setReceiveBufferSize(4096);
        browser.connect(server.localAddress());
        joined.await();
        FeedEvent large = event(Kind.POINT, "\"" + "x".repeat(1 << 18) + "\"");
        int sent = 0;
        while (loop.submit(streams::count).get() > 0) {
          loop.submit(() -> streams.send(List.of(large))).get();
          sent++;
          // Four in a MiB: what is unsent, and as much again in the buffers of both sockets.
          assertThat(sent).isLessThan(4 * 32);
        }
        assertThat(sent).isGreaterThan(4 * 4);
        gone.await();
      }
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  private Channel server(EventLoopGroup loop, CountDownLatch joined, CountDownLatch gone) {
    return new ServerBootstrap()
        .group(loop)
        .channel(NioServerSocketChannel.class)
        .childOption(
            ChannelOption.WRITE_BUFFER_WATER_MARK,
            new WriteBufferWaterMark(Streams.MOST_UNSENT_BYTES / 2, Streams.MOST_UNSENT_BYTES))
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new Plain());
                channel.pipeline().addLast(new Member(joined, gone));
              }
            })
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .syncUninterruptibly()
        .channel();
  }

  /** Bytes as they are: there is no response that they could be of. */
  private static final class Plain extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      ByteBuf bytes = ((HttpContent) message).content();
      context.write(bytes, promise);
    }
  }

  private final class Member extends ChannelInboundHandlerAdapter {
    private final CountDownLatch joined;
    private final CountDownLatch gone;

    Member(CountDownLatch joined, CountDownLatch gone) {
      this.joined = joined;
      this.gone = gone;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      streams.add(context.channel());
      joined.countDown();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      streams.remove(context.channel());
      gone.countDown();
    }
  }
}
