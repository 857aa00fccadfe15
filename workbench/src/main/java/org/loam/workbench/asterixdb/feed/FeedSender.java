package org.loam.workbench.asterixdb.feed;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.loam.workbench.asterixdb.cluster.FeedSocket;
import org.loam.workbench.console.CommandException;

/**
 * Sends the lines of a file to the socket of a feed, on a thread of its own. A feed acknowledges
 * nothing: what was sent may be lost. The reader of the socket may go away, which ends it.
 */
final class FeedSender implements AutoCloseable {
  private final Path file;
  private final Socket socket;
  private final int pauseAt;
  private final CountDownLatch resumed = new CountDownLatch(1);
  private final Thread thread;
  private volatile int sent;

  /**
   * Connects and begins.
   *
   * @param pauseAt lines after which it waits to be resumed
   * @throws CommandException if no feed listens within a minute
   */
  FeedSender(Path file, int port, int pauseAt) throws InterruptedException {
    this.file = file;
    this.pauseAt = pauseAt;
    this.socket = FeedSocket.connect(port);
    this.thread = new Thread(this::send, "feed sender");
    thread.setDaemon(true);
    thread.start();
  }

  private void send() {
    try (BufferedReader lines = Files.newBufferedReader(file);
        BufferedWriter out =
            new BufferedWriter(
                new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8))) {
      int count = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (count == pauseAt) {
          out.flush();
          resumed.await();
        }
        out.write(line);
        out.newLine();
        sent = ++count;
      }
    } catch (IOException e) {
      // The feed's node has died, or the socket was closed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void resume() {
    resumed.countDown();
  }

  /** Lines that were given to the system. */
  int sent() {
    return sent;
  }

  /** Waits until all is sent. */
  void join() throws InterruptedException {
    thread.join();
  }

  /** Gives up what is not sent yet. */
  @Override
  public void close() throws InterruptedException {
    resume();
    try {
      socket.close();
    } catch (IOException e) {
      throw CommandException.environment("cannot close the socket of a feed: " + e, e);
    }
    thread.join();
  }
}
