package org.loam.dashboard.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.loam.dashboard.feed.Sampler;

/** Serves a page and a stream of events, on one thread. Thread-safe. */
public final class PageServer implements AutoCloseable {
  /** How long a connection may take to ask. */
  private static final int REQUEST_SECONDS = 10;

  private static final int LINE_BYTES = 4 << 10;
  private static final int HEADER_BYTES = 16 << 10;
  private static final int CHUNK_BYTES = 4 << 10;

  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("loam-dashboard", true), NioIoHandler.newFactory());

  /** Also those that are accepted during the close. The end of the loop may leave them open. */
  private final ChannelGroup connections = new DefaultChannelGroup(loop.next(), true);

  private final Channel listening;

  /**
   * Listens from now on.
   *
   * @param token that each request must have; null for none
   * @param html the page
   * @param sampler begins with the first browser, and stops with the last one
   * @throws UncheckedIOException if the address or the port cannot be had
   */
  public PageServer(
      InetSocketAddress address, @Nullable String token, String html, Sampler sampler) {
    Site site = new Site(token, html, sampler, loop);
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(Streams.MOST_UNSENT_BYTES / 2, Streams.MOST_UNSENT_BYTES))
            .childHandler(new Connection(site, connections));
    ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      end();
      throw new UncheckedIOException(
          new IOException(
              "cannot listen at " + address + ": " + bound.cause().getMessage(), bound.cause()));
    }
    listening = bound.channel();
  }

  private static final class Connection extends ChannelInitializer<Channel> {
    private final Site site;
    private final ChannelGroup all;

    Connection(Site site, ChannelGroup all) {
      this.site = site;
      this.all = all;
    }

    @Override
    protected void initChannel(Channel channel) {
      all.add(channel);
      channel
          .pipeline()
          .addLast(new ReadTimeoutHandler(REQUEST_SECONDS))
          .addLast(new HttpServerCodec(LINE_BYTES, HEADER_BYTES, CHUNK_BYTES))
          .addLast(new RequestHandler(site));
    }
  }

  /** The port, also if it was to be one that is free. */
  public int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** Ends all connections. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly();
    end();
  }

  private void end() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
