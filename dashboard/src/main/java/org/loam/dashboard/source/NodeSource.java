package org.loam.dashboard.source;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.loam.tuner.history.HistoryEntry;

/** The engine of a node of AsterixDB, which shows its statistics at {@code /admin/loam}. */
public final class NodeSource implements Source {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final int OK = 200;
  private static final int LAST_PORT = 65_535;

  private final URI statistics;
  private final Duration limit;
  private final HttpClient client;

  /**
   * @param node such as {@code http://127.0.0.1:19004}; without a path, {@code /admin/loam} is
   *     meant
   * @throws IllegalArgumentException if it is no address of HTTP
   */
  public NodeSource(URI node) {
    this(node, LIMIT);
  }

  /**
   * Names the node.
   *
   * @param limit for each whole answer
   */
  NodeSource(URI node, Duration limit) {
    boolean http = "http".equals(node.getScheme()) || "https".equals(node.getScheme());
    // A port of 0 is that of no server; -1 is that of the scheme.
    boolean port = node.getPort() == -1 || (node.getPort() > 0 && node.getPort() <= LAST_PORT);
    if (!http || node.getHost() == null || !port) {
      throw new IllegalArgumentException(
          "the node is " + node + ", must be an address such as http://127.0.0.1:19004");
    }
    String path = node.getPath();
    this.statistics = path == null || path.length() < 2 ? node.resolve("/admin/loam") : node;
    this.limit = limit;
    this.client = HttpClient.newBuilder().connectTimeout(limit).build();
  }

  @Override
  public String title() {
    return statistics.toString();
  }

  @Override
  public Reading read() throws IOException {
    try {
      HttpResponse<String> response = HttpAnswer.get(client, statistics, limit);
      if (response.statusCode() != OK) {
        throw new IOException("The node answers with status " + response.statusCode() + ".");
      }
      return new Reading(JSON.readTree(response.body()), "A node of AsterixDB, read by HTTP.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IOException e) {
      String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new IOException("The node is out of reach: " + why, e);
    }
  }

  /** Out of reach: it is in a file of the node. */
  @Override
  public List<HistoryEntry> history() {
    return List.of();
  }

  @Override
  public void close() {
    // Idle connections end by themselves.
  }
}
