package org.loam.dashboard.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.DefaultHttpContent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.dashboard.feed.FeedEvent;
import org.loam.dashboard.feed.FeedEvent.Kind;

/**
 * The browsers that listen to events, and the last events for those that come later. Has one
 * thread.
 */
final class Streams {
  /** Each has up to {@link #MOST_UNSENT_BYTES} on its way. */
  static final int MOST = 8;

  /** A browser that has so much of its stream unread is sent no more. */
  static final int MOST_UNSENT_BYTES = 4 << 20;

  /** Half an hour of points, or less of them with many series, and as many decisions. */
  private static final int KEPT = 1800;

  private static final int KEPT_BYTES = 1 << 21;

  /**
   * After so many looks in a row that say nothing, all browsers get a comment: the system notices
   * that a browser has vanished only if it is sent something. Looks are a second apart.
   */
  static final int SILENT_LOOKS = 15;

  private static final byte[] COMMENT = ":\n\n".getBytes(US_ASCII);

  /** What of a kind is kept. */
  private static final class Kept {
    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    private int bytes;

    void add(byte[] frame) {
      frames.add(frame);
      bytes += frame.length;
      while (frames.size() > KEPT || (bytes > KEPT_BYTES && frames.size() > 1)) {
        bytes -= frames.remove().length;
      }
    }
  }

  private final Set<Channel> channels = new HashSet<>();
  private final Map<Kind, Kept> kept = new EnumMap<>(Kind.class);
  private byte @Nullable [] state;
  private int silentLooks;

  /** Adds a browser, and sends it what is kept. */
  void add(Channel channel) {
    channels.add(channel);
    List<byte[]> frames = new ArrayList<>();
    kept.values().forEach(of -> frames.addAll(of.frames));
    if (state != null) {
      frames.add(state);
    }
    send(channel, Unpooled.wrappedBuffer(frames.toArray(new byte[0][])));
  }

  void remove(Channel channel) {
    channels.remove(channel);
  }

  int count() {
    return channels.size();
  }

  /**
   * Sends the events of a look to all, and ends the streams that have not taken what was sent
   * before.
   */
  void send(List<FeedEvent> events) {
    if (!events.isEmpty()) {
      silentLooks = 0;
      byte[][] frames = new byte[events.size()][];
      for (int i = 0; i < frames.length; i++) {
        frames[i] = events.get(i).frame();
        keep(events.get(i).kind(), frames[i]);
      }
      sendAll(frames);
    } else if (++silentLooks == SILENT_LOOKS) {
      silentLooks = 0;
      sendAll(COMMENT);
    }
  }

  private void sendAll(byte[]... frames) {
    ByteBuf all = Unpooled.wrappedBuffer(frames);
    for (Channel channel : List.copyOf(channels)) {
      if (channel.isWritable()) {
        send(channel, all.retainedDuplicate());
      } else {
        var unused = channel.close();
      }
    }
    all.release();
  }

  private void keep(Kind kind, byte[] frame) {
    switch (kind) {
      case STATE -> state = frame;
      case OPENING -> {
        kept.clear();
        kept.computeIfAbsent(kind, k -> new Kept()).add(frame);
      }
      case DECISION, POINT -> kept.computeIfAbsent(kind, k -> new Kept()).add(frame);
    }
  }

  private static void send(Channel channel, ByteBuf bytes) {
    var unused = channel.writeAndFlush(new DefaultHttpContent(bytes), channel.voidPromise());
  }
}
