package org.loam.workbench.asterixdb.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import org.loam.workbench.console.CommandException;

/** Connects to feeds that listen at a port of this machine. */
public final class FeedSocket {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(100);

  private FeedSocket() {}

  /**
   * Connects; a feed listens some time after it was started.
   *
   * @throws CommandException if no feed listens within a minute
   */
  public static Socket connect(int port) throws InterruptedException {
    long deadline = System.nanoTime() + CONNECT_LIMIT.toNanos();
    while (true) {
      try {
        return new Socket(InetAddress.getLoopbackAddress(), port);
      } catch (ConnectException e) {
        if (System.nanoTime() > deadline) {
          throw CommandException.failed("the feed does not listen at port " + port);
        }
        Thread.sleep(POLL.toMillis());
      } catch (IOException e) {
        throw CommandException.environment("cannot connect to port " + port + ": " + e, e);
      }
    }
  }
}
