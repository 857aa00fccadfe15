package org.loam.workbench.asterixdb.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An HTTP server that closes the connections of its first requests instead of answering. */
final class ClosingServer implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)\r\n");

  private static final String END_OF_HEAD = "\r\n\r\n";

  private final ServerSocket server;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  /**
   * @param closed requests whose answers are lost
   * @param answers JSON for the body of each request
   */
  ClosingServer(int closed, UnaryOperator<String> answers) throws IOException {
    server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
    thread.submit(
        () -> {
          while (true) {
            try (Socket connection = server.accept()) {
              String request = read(connection.getInputStream());
              requests.add(request);
              String answer = answers.apply(request.substring(request.indexOf(END_OF_HEAD) + 4));
              if (requests.size() > closed) {
                connection.getOutputStream().write(response(answer).getBytes(UTF_8));
              }
            }
          }
        });
  }

  private static String read(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf(END_OF_HEAD) < 0) {
      head.append((char) in.read());
    }
    Matcher length = LENGTH.matcher(head);
    int bytes = length.find() ? Integer.parseInt(length.group(1)) : 0;
    return head + new String(in.readNBytes(bytes), UTF_8);
  }

  private static String response(String answer) {
    return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
        + answer.getBytes(UTF_8).length
        + "\r\n\r\n"
        + answer;
  }

  int port() {
    return server.getLocalPort();
  }

  /** All that came, each with its head. */
  List<String> requests() {
    return requests;
  }

  @Override
  public void close() throws IOException {
    server.close();
    thread.shutdownNow();
  }
}
