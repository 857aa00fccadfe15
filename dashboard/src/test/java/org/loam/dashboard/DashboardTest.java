package org.loam.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Engine;

/** The server as browsers see it. */
@ExtendWith(BufferLeaks.class)
@Timeout(60)
class DashboardTest {
  private static final String TOKEN = "a-secret-of-some-length";

  @TempDir Path directory;

  private final FakeSource source = new FakeSource();

  /** A connection that speaks HTTP by hand. */
  private static final class Browser implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    Browser(URI address, String request) throws IOException {
      socket = new Socket(address.getHost(), address.getPort());
      // The timeout of the test does not interrupt a read.
      socket.setSoTimeout(60_000);
      in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      socket.getOutputStream().write(request.replace("\n", "\r\n").getBytes(UTF_8));
    }

    String line() throws IOException {
      return in.readLine();
    }

    /** The next line that begins so; null if the stream ends before. */
    String lineWith(String beginning) throws IOException {
      String line = line();
      while (line != null && !line.startsWith(beginning)) {
        line = line();
      }
      return line;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static Browser events(Dashboard dashboard) throws IOException {
    return new Browser(dashboard.address(), "GET /events HTTP/1.1\nHost: localhost\n\n");
  }

  private static HttpResponse<String> get(URI uri) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String status(Dashboard dashboard, String request) throws IOException {
    try (Browser browser = new Browser(dashboard.address(), request)) {
      return browser.line();
    }
  }

  @Test
  void thePageIsWholeAndComesFromHereAlone() throws Exception {
    try (Dashboard dashboard = Dashboard.serve(source, DashboardOptions.DEFAULT)) {
      HttpResponse<String> page = get(dashboard.address());
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.body()).contains("new EventSource", "uPlot=function").endsWith("</html>\n");
      assertThat(page.body()).doesNotContain("src=", "@import", "/*page.js*/", "/*uplot.js*/");
      assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
      assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
          .startsWith("default-src 'none';");
      assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
      assertThat(get(dashboard.address().resolve("/other")).statusCode()).isEqualTo(404);
    }
    assertThat(source.reads).hasValue(0);
    assertThat(source.closes).hasValue(1);
  }

  @Test
  void refusalsAreAnswersAndEndTheConnection() throws Exception {
    try (Dashboard dashboard = Dashboard.serve(source, DashboardOptions.DEFAULT)) {
      assertThat(status(dashboard, "POST / HTTP/1.1\nHost: localhost\nContent-Length: 9\n\n"))
          .isEqualTo("HTTP/1.1 405 Method Not Allowed");
      assertThat(status(dashboard, "GET / HTTP/1.1\nHost: evil.example\n\n"))
          .isEqualTo("HTTP/1.1 403 Forbidden");
      assertThat(status(dashboard, "GET /events HTTP/1.1\nHost: evil.example\n\n"))
          .isEqualTo("HTTP/1.1 403 Forbidden");
      assertThat(status(dashboard, "GET /%zz HTTP/1.1\nHost: localhost\n\n"))
          .isEqualTo("HTTP/1.1 404 Not Found");
      assertThat(status(dashboard, "GET /" + "x".repeat(9000) + " HTTP/1.1\n\n"))
          .isEqualTo("HTTP/1.1 400 Bad Request");
      try (Browser browser =
          new Browser(dashboard.address(), "PUT / HTTP/1.1\nHost: localhost\n\n")) {
        assertThat(browser.lineWith("Nothing can be changed")).isNotNull();
        assertThat(browser.line()).isNull();
      }
    }
    assertThat(source.reads).hasValue(0);
  }

  @Test
  void eachRequestNeedsTheToken() throws Exception {
    DashboardOptions options = DashboardOptions.DEFAULT.withToken(TOKEN);
    try (Dashboard dashboard = Dashboard.serve(source, options)) {
      URI with = dashboard.address();
      assertThat(with.getQuery()).isEqualTo("token=" + TOKEN);
      assertThat(get(with).statusCode()).isEqualTo(200);
      assertThat(get(with.resolve("/")).statusCode()).isEqualTo(401);
      assertThat(get(with.resolve("/events")).statusCode()).isEqualTo(401);
      assertThat(get(with.resolve("/?token=" + TOKEN + "x")).statusCode()).isEqualTo(401);
      try (Browser browser =
          new Browser(with, "GET /events?token=" + TOKEN + " HTTP/1.1\nHost: db.example\n\n")) {
        assertThat(browser.lineWith("event: ")).isEqualTo("event: OPENING");
      }
    }
  }

  @Test
  void beyondLoopbackThereIsATokenOrNothing() {
    for (String listen : new String[] {"0.0.0.0", "::", "192.0.2.1"}) {
      assertThatThrownBy(() -> new DashboardOptions(0, listen, null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("listen is " + listen)
          .hasMessageContaining("give a token");
    }
    for (String weak : new String[] {"", "short", "white space is not good", "0123456789abcd&="}) {
      assertThatThrownBy(() -> DashboardOptions.DEFAULT.withToken(weak))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at least 16 characters");
    }
    assertThatThrownBy(() -> DashboardOptions.DEFAULT.withPort(65_536))
        .hasMessage("port is 65536, must be in 0..65535");
    DashboardOptions.DEFAULT.withListen("0.0.0.0", TOKEN);
    new DashboardOptions(0, "127.0.0.1", null);
  }

  @Test
  void eachAddressOfLoopbackThatIsPrintedIsServed() throws Exception {
    for (String listen : new String[] {"localhost", "127.0.0.2"}) {
      DashboardOptions options = new DashboardOptions(0, listen, null);
      try (Dashboard dashboard = Dashboard.serve(source, options)) {
        assertThat(get(dashboard.address()).statusCode()).as(listen).isEqualTo(200);
      }
    }
  }

  @Test
  void anAddressWithoutMeaningClosesTheSource() {
    DashboardOptions options = new DashboardOptions(0, "[x", TOKEN);
    assertThatThrownBy(() -> Dashboard.serve(source, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("listen is [x");
    assertThat(source.closes).hasValue(1);
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    try (Dashboard dashboard = Dashboard.serve(source, DashboardOptions.DEFAULT)) {
      int port = dashboard.address().getPort();
      FakeSource second = new FakeSource();
      assertThatThrownBy(() -> Dashboard.serve(second, DashboardOptions.DEFAULT.withPort(port)))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot listen at")
          .hasMessageContaining(Integer.toString(port));
      assertThat(second.closes).hasValue(1);
    }
  }

  @Test
  void aBrowserIsToldWhatEachLookSaysAndLeavesItsPlace() throws Exception {
    source.then("{'times':{'sinceOpenNanos':1000000000}}", "Here.");
    try (Dashboard dashboard = Dashboard.serve(source, DashboardOptions.DEFAULT)) {
      try (Browser browser = events(dashboard)) {
        assertThat(browser.lineWith("HTTP")).isEqualTo("HTTP/1.1 200 OK");
        assertThat(browser.lineWith("event: ")).isEqualTo("event: OPENING");
        assertThat(browser.line()).isEqualTo("data: {}");
        assertThat(browser.line()).isEmpty();
        assertThat(browser.line()).isEqualTo("event: POINT");
        assertThat(browser.line()).startsWith("data: {\"at\":1.0,\"series\":{");
        assertThat(browser.lineWith("event: ")).isEqualTo("event: STATE");
        assertThat(browser.line()).startsWith("data: {\"title\":\"/srv/fake\",\"kind\":\"LIVE\"");
        assertThat(browser.lineWith("event: ")).isEqualTo("event: POINT");
        assertThat(source.reads.get()).isGreaterThanOrEqualTo(2);
      }
      // Its end is seen when another one has all places.
      fillAllPlaces(dashboard);
    }
  }

  @Test
  void aLookWithoutHeapIsNotTheLast() throws Exception {
    source.thenNoHeap().then("{'times':{'sinceOpenNanos':1000000000}}", "Here.");
    try (Dashboard dashboard = Dashboard.serve(source, DashboardOptions.DEFAULT);
        Browser browser = events(dashboard)) {
      assertThat(browser.lineWith("event: POINT")).isNotNull();
    }
  }

  private static void fillAllPlaces(Dashboard dashboard) throws IOException {
    List<Browser> all = new ArrayList<>();
    try {
      while (all.size() < 8) {
        Browser browser = events(dashboard);
        if (browser.line().endsWith("200 OK")) {
          all.add(browser);
        } else {
          browser.close();
        }
      }
      try (Browser tooMany = events(dashboard)) {
        assertThat(tooMany.line()).isEqualTo("HTTP/1.1 503 Service Unavailable");
      }
    } finally {
      for (Browser browser : all) {
        browser.close();
      }
    }
  }

  @RepeatedTest(value = 20, failureThreshold = 1)
  void aCloseEndsEachStream() throws Exception {
    Browser browser;
    try (Dashboard dashboard = Dashboard.serve(source, DashboardOptions.DEFAULT)) {
      browser = events(dashboard);
      assertThat(browser.lineWith("event: ")).isNotNull();
    }
    try (browser) {
      assertThat(browser.lineWith("nothing more")).isNull();
    }
  }

  @Test
  void connectionsAreBounded() throws Exception {
    try (Dashboard dashboard = Dashboard.serve(source, DashboardOptions.DEFAULT)) {
      List<Browser> silent = new ArrayList<>();
      try {
        for (int i = 0; i < 32; i++) {
          silent.add(new Browser(dashboard.address(), "GET"));
        }
        try (Browser tooMany = new Browser(dashboard.address(), "")) {
          assertThat(tooMany.line()).isNull();
        }
      } finally {
        for (Browser browser : silent) {
          browser.close();
        }
      }
    }
  }

  @Test
  void anEngineOfThisProgramIsShownUntilItIsClosed() throws Exception {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
    try (Engine engine = Engine.open(directory, config);
        Dashboard dashboard = Dashboard.serve(engine, DashboardOptions.DEFAULT);
        Browser browser = events(dashboard)) {
      engine.createTree("orders").put(new byte[] {1}, new byte[5]);
      String point = browser.lineWith("data: {\"at\"");
      while (!point.contains("\"memory.orders\":") || !point.contains("hits")) {
        point = browser.lineWith("data: {\"at\"");
      }
      assertThat(point).contains("\"writeBytes\":", "\"hits.QUERY\":", "\"stall.L0_STOP\":0.0");
      engine.close();
      assertThat(browser.lineWith("data: {\"title\":\"" + directory + "\",\"kind\":\"LOST\""))
          .contains("The engine was closed.");
    }
  }
}
