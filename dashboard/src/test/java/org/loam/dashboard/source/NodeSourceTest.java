package org.loam.dashboard.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.loam.dashboard.source.Source.Reading;

/** A node of AsterixDB as the network gives it. */
@Timeout(60)
class NodeSourceTest {
  private static final Duration LIMIT = Duration.ofMillis(300);
  private static final String JSON = "{\"memory\":{\"totalBytes\":7}}";

  /** The first answer ends only when the other side gives it up; all later ones are whole. */
  private static Void answer(ServerSocket node) throws IOException {
    boolean stalled = false;
    while (true) {
      try (Socket connection = node.accept()) {
        readHead(connection.getInputStream());
        if (stalled) {
          write(connection, JSON.length(), JSON);
        } else {
          stalled = true;
          write(connection, 100, "{");
          awaitEnd(connection.getInputStream());
        }
      } catch (SocketException e) {
        // The other side gave up, or the test has ended.
        if (node.isClosed()) {
          return null;
        }
      }
    }
  }

  private static void readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    for (int b = in.read(); b >= 0; b = in.read()) {
      head.append((char) b);
      if (head.indexOf("\r\n\r\n") >= 0) {
        return;
      }
    }
  }

  private static void write(Socket socket, int length, String body) throws IOException {
    String head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + length + "\r\n\r\n";
    socket.getOutputStream().write((head + body).getBytes(UTF_8));
  }

  private static void awaitEnd(InputStream in) throws IOException {
    while (in.read() >= 0) {
      // What is sent means nothing.
    }
  }

  /** A busy machine may take longer than the limit for a whole answer, too. */
  private static Reading readAtLast(NodeSource source) {
    while (true) {
      try {
        return source.read();
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("out of reach");
      }
    }
  }

  @Test
  void anAnswerThatStallsIsGivenUpAndTheNextOneIsRead() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (ServerSocket node = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      thread.submit(() -> answer(node));
      URI address = URI.create("http://127.0.0.1:" + node.getLocalPort());
      try (NodeSource source = new NodeSource(address, LIMIT)) {
        assertThatThrownBy(source::read)
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith("The node is out of reach: ");
        assertThat(readAtLast(source).statistics().at("/memory/totalBytes").asInt()).isEqualTo(7);
      }
    } finally {
      thread.shutdownNow();
    }
  }
}
