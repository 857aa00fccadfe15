package org.loam.workbench.asterixdb.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.loam.workbench.console.CommandException;

/** A query is asked once more when its connection ends without an answer; nothing else is. */
class QueryServiceTest {
  private static final String ROWS = "{\"results\": [1, 2], \"status\": \"success\"}";

  /** What AsterixDB says to a statement that is not a query, if the request is to read only. */
  private static final String NOT_READING =
      "{\"errors\": [{\"code\": 1, \"msg\": \"ASX0044: Insert statement is not supported in"
          + " read-only mode\"}], \"status\": \"fatal\"}";

  private final PrintStream err = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final List<String> rows = new ArrayList<>();

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(said, true, UTF_8));
  }

  @AfterEach
  void restore() {
    System.setErr(err);
  }

  private void run(ClosingServer server, String statement) throws InterruptedException {
    new QueryService("http://127.0.0.1:" + server.port())
        .run(statement, row -> rows.add(row.asText()));
  }

  /** One line for each time that something is asked again. */
  private void requireSaid(int lines, ClosingServer server) {
    assertThat(said.toString(UTF_8).lines())
        .hasSize(lines)
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith(
                        "no answer at http://127.0.0.1:" + server.port() + "/query/service (")
                    .endsWith("); asking again"));
  }

  @Test
  void aQueryIsAskedAgainAndMayOnlyRead() throws Exception {
    try (ClosingServer server = new ClosingServer(1, body -> ROWS)) {
      run(server, "SELECT VALUE 1;");
      assertThat(rows).containsExactly("1", "2");
      assertThat(server.requests()).hasSize(2);
      assertThat(server.requests().get(0)).contains("statement=SELECT").doesNotContain("readonly");
      assertThat(server.requests().get(1)).contains("statement=SELECT", "&readonly=true");
      requireSaid(1, server);
    }
  }

  @Test
  void whatIsAnsweredIsAskedOnce() throws Exception {
    try (ClosingServer server = new ClosingServer(0, body -> ROWS)) {
      run(server, "SELECT VALUE 1;");
      assertThat(server.requests()).singleElement().asString().doesNotContain("readonly");
      requireSaid(0, server);
    }
  }

  @Test
  void ofAStatementThatMayHaveChangedSomethingItIsSaid() throws Exception {
    try (ClosingServer server = new ClosingServer(1, body -> NOT_READING)) {
      assertThatThrownBy(() -> run(server, "INSERT INTO a ([{}]);"))
          .isInstanceOf(StatementException.class)
          .hasMessageContaining("without an answer; what the statement changes may be changed, or");
      // The second one cannot have changed anything.
      assertThat(server.requests()).hasSize(2);
      assertThat(server.requests().get(1)).contains("&readonly=true");
    }
  }

  @Test
  void nothingIsAskedThreeTimes() throws Exception {
    try (ClosingServer server = new ClosingServer(2, body -> ROWS)) {
      assertThatThrownBy(() -> run(server, "SELECT VALUE 1;"))
          .isInstanceOf(StatementException.class)
          .hasMessageStartingWith("AsterixDB broke off its answer: ");
      assertThat(server.requests()).hasSize(2);
      requireSaid(1, server);
    }
  }

  /** It is no use to ask again, or to look at the network. */
  @Test
  void aLimitOfTheReaderIsNoBrokenConnection() throws Exception {
    String deep = "[".repeat(2000) + "]".repeat(2000);
    String answer = "{\"results\": [" + deep + "], \"status\": \"success\"}";
    try (ClosingServer server = new ClosingServer(0, body -> answer)) {
      assertThatThrownBy(() -> run(server, "SELECT VALUE 1;"))
          .isInstanceOf(StatementException.class)
          .hasMessageStartingWith("AsterixDB's answer has a row that this command cannot read: ");
      requireSaid(0, server);
    }
  }

  @Test
  void aRowThatTheHeapHasNoRoomForIsSaidWithARemedy() throws Exception {
    try (ClosingServer server = new ClosingServer(0, body -> ROWS)) {
      QueryService service = new QueryService("http://127.0.0.1:" + server.port());
      assertThatThrownBy(
              () ->
                  service.run(
                      "SELECT VALUE 1;",
                      row -> {
                        throw new OutOfMemoryError("as if it were");
                      }))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("LOAM_JAVA_OPTS=-Xmx");
    }
  }

  /** By the HTTP client of Java, which does not say so. */
  @Test
  void whatTheControllerKnowsIsAskedAgain() throws Exception {
    String active = "{\"state\": \"ACTIVE\", \"ncs\": []}";
    try (ClosingServer server = new ClosingServer(1, body -> active)) {
      HttpApi api =
          new HttpApi(
              new ClusterSettings(
                  server.port(), ClusterSettings.DEFAULT.heapBytes(), Storage.LOAM));
      assertThat(api.state().orElseThrow().cluster()).isEqualTo("ACTIVE");
      assertThat(server.requests())
          .hasSize(2)
          .allSatisfy(request -> assertThat(request).startsWith("GET /admin/cluster "));
    }
  }

  /** The thread ends with the server. */
  private static Void answerWithHeadersAlone(ServerSocket server) throws IOException {
    while (true) {
      try (Socket connection = server.accept()) {
        connection
            .getOutputStream()
            .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(UTF_8));
        InputStream in = connection.getInputStream();
        while (in.read() >= 0) {
          // Until the other side gives the answer up.
        }
      } catch (SocketException e) {
        if (server.isClosed()) {
          return null;
        }
      }
    }
  }

  @Test
  @Timeout(60)
  void anAnswerThatStallsIsNone() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      thread.submit(() -> answerWithHeadersAlone(server));
      Duration limit = Duration.ofMillis(300);
      HttpApi api =
          new HttpApi(
              new ClusterSettings(
                  server.getLocalPort(), ClusterSettings.DEFAULT.heapBytes(), Storage.LOAM),
              limit);
      assertThat(api.state()).isEmpty();
      QueryService service =
          new QueryService(
              QueryService.newClient(), "http://127.0.0.1:" + server.getLocalPort(), limit);
      assertThat(service.controller()).isEmpty();
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void aServerThatIsNotThereIsNotAskedAgain() throws IOException {
    ClosingServer server = new ClosingServer(0, body -> ROWS);
    server.close();
    assertThatThrownBy(() -> run(server, "SELECT VALUE 1;")).isInstanceOf(CommandException.class);
    requireSaid(0, server);
  }
}
