package org.loam.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.common.config.EngineConfig;
import org.loam.common.env.real.RealEnv;
import org.loam.dashboard.source.DirectorySource;
import org.loam.engine.Engine;
import org.loam.tuner.history.HistoryReader;
import org.loam.workbench.browser.BusyEngine;
import org.loam.workbench.browser.Chromium;
import org.loam.workbench.console.ChildJvm;
import org.loam.workbench.console.Json;

/** {@code loam dashboard}, with an engine in another process and a real browser. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DashboardCommandTest {
  private static final List<String> CHARTS =
      List.of(
          "Memory",
          "Cache hits",
          "Misses and ghost hits",
          "Write memory by tree",
          "L0 depth",
          "Bytes written",
          "Flushes and merges",
          "Stalls",
          "Read latency",
          "Write latency");

  /** More of them make a better picture. */
  private static final int POINTS = Integer.getInteger("loam.dashboard.points", 8);

  private static final int BLUE = 0x0072B2;

  @TempDir Path directory;

  /** The command, on a thread of its own, until it is interrupted. */
  private static final class Running implements AutoCloseable {
    private final StringWriter errors = new StringWriter();
    private final Thread thread;
    private final URI address;
    private volatile int exitCode = -1;

    Running(String... options) throws IOException {
      PipedWriter writer = new PipedWriter();
      BufferedReader reader = new BufferedReader(new PipedReader(writer));
      String[] arguments = new String[options.length + 3];
      System.arraycopy(options, 0, arguments, 3, options.length);
      arguments[0] = "dashboard";
      arguments[1] = "--port";
      arguments[2] = "0";
      thread =
          new Thread(
              () -> {
                try (PrintWriter out = new PrintWriter(writer)) {
                  exitCode = Loam.execute(out, new PrintWriter(errors, true), false, arguments);
                }
              });
      thread.start();
      String line = reader.readLine();
      assertThat(line).as(errors.toString()).startsWith("http://127.0.0.1:");
      address = URI.create(line);
    }

    @Override
    public void close() throws InterruptedException {
      thread.interrupt();
      thread.join();
      assertThat(exitCode).as(errors.toString()).isZero();
    }
  }

  /** The stream of events, read by hand. */
  private static String eventWith(URI address, String text) throws IOException {
    try (Socket socket = new Socket(address.getHost(), address.getPort());
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      socket
          .getOutputStream()
          .write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
      String line = in.readLine();
      while (line != null && !line.contains(text)) {
        line = in.readLine();
      }
      return String.valueOf(line);
    }
  }

  @Test
  void aBrowserDrawsAnEngineOfAnotherProcessAndThenItsHistory() throws Exception {
    Chromium.require();
    Path database = directory.resolve("db");
    Process engine =
        ChildJvm.start(BusyEngine.class, List.of("-Xmx128m"), List.of(database.toString()));
    try (BufferedReader said =
            new BufferedReader(new InputStreamReader(engine.getInputStream(), UTF_8));
        Running command = running(said, database);
        Chromium browser = Chromium.start(directory.resolve("profile"))) {
      browser.open(command.address);
      browser.await("document.body?.dataset.kind === 'LIVE'");
      browser.await(
          "document.body.dataset.points >= "
              + POINTS
              + " && document.body.dataset.decisions >= 3"
              + " && [...document.querySelectorAll('.chart')].every(c => c.dataset.points > 5)");
      JsonNode titles =
          browser.evaluate(
              "[...document.querySelectorAll('.chart')].map(chart => chart.dataset.title)");
      assertThat(titles).extracting(JsonNode::asText).containsExactlyElementsOf(CHARTS);
      String text = browser.evaluate("document.body.innerText").asText();
      assertThat(text)
          .contains("process " + engine.pid(), "adaptive", "orders", "lines", "customers", "query");
      Path picture = Path.of("target", "dashboard.png");
      browser.draw(picture);
      BufferedImage image = ImageIO.read(picture.toFile());
      assertThat(pixels(image, BLUE)).as("pixels of the first lines").isGreaterThan(1_000);

      engine.destroyForcibly().waitFor();
      browser.await("document.body.dataset.kind === 'HISTORY'");
      int cycles =
          HistoryReader.read(RealEnv.create().files(), HistoryReader.fileIn(database))
              .entries()
              .size();
      browser.await("document.body.dataset.decisions == " + cycles);
      assertThat(browser.evaluate("document.body.innerText").asText())
          .contains("No engine has this directory open");
      browser.draw(Path.of("target", "dashboard-history.png"));
    } finally {
      engine.destroyForcibly().waitFor();
    }
  }

  private static Running running(BufferedReader engine, Path database) throws IOException {
    assertThat(engine.readLine()).isEqualTo("open");
    return new Running("--directory", database.toString());
  }

  private static long pixels(BufferedImage image, int colour) {
    int[] all = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    return Arrays.stream(all).filter(pixel -> (pixel & 0xffffff) == colour).count();
  }

  /** Without a browser: the process is found, and the statistics are those of the engine. */
  @Test
  void theEngineOfAnotherProcessIsRead() throws Exception {
    Path database = directory.resolve("db");
    Process engine =
        ChildJvm.start(BusyEngine.class, List.of("-Xmx128m"), List.of(database.toString()));
    try (BufferedReader said =
            new BufferedReader(new InputStreamReader(engine.getInputStream(), UTF_8));
        Running command = running(said, database)) {
      assertThat(eventWith(command.address, "\"kind\":"))
          .contains("\"kind\":\"LIVE\"", "process " + engine.pid(), "\"mode\":\"ADAPTIVE\"");
      assertThat(eventWith(command.address, "memory.orders")).contains("\"targetBytes\":");
      try (DirectorySource source = new DirectorySource(database)) {
        JsonNode disk = source.read().statistics().at("/health/disks/0/directory");
        assertThat(disk.asText()).isEqualTo(database.toString());
      }
    } finally {
      engine.destroyForcibly().waitFor();
    }
  }

  @Test
  void anEngineThatCannotBeAttachedToIsSaidToBeThere() throws Exception {
    Path database = directory.resolve("db");
    Process engine =
        ChildJvm.start(
            BusyEngine.class,
            List.of("-Xmx128m", "-XX:+DisableAttachMechanism"),
            List.of(database.toString()));
    try (BufferedReader said =
            new BufferedReader(new InputStreamReader(engine.getInputStream(), UTF_8));
        Running command = running(said, database)) {
      assertThat(eventWith(command.address, "\"kind\":"))
          .contains("\"kind\":\"HISTORY\"", "Process " + engine.pid(), "DisableAttachMechanism");
    } finally {
      engine.destroyForcibly().waitFor();
    }
  }

  /** What a node answers has the statistics of the engine beside its own parts. */
  @Test
  void aNodeOfAsterixDbIsReadByHttp() throws Exception {
    EngineConfig config =
        EngineConfig.builder().memoryTotalBytes(64 << 20).logSegmentBytes(4 << 20).build();
    HttpServer node =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (Engine engine = Engine.open(directory.resolve("node"), config)) {
      engine.createTree("storage/partition_0/shop/orders/0/orders");
      node.createContext(
          "/admin/loam",
          exchange -> {
            byte[] json = Json.line(engine.statistics()).getBytes(UTF_8);
            exchange.sendResponseHeaders(200, json.length);
            exchange.getResponseBody().write(json);
            exchange.close();
          });
      node.start();
      String url = "http://127.0.0.1:" + node.getAddress().getPort();
      try (Running command = new Running("--node", url)) {
        assertThat(eventWith(command.address, "\"kind\":"))
            .contains("\"kind\":\"LIVE\"", url + "/admin/loam", "A node of AsterixDB");
        assertThat(eventWith(command.address, "hits.QUERY")).contains("shop/orders");
        node.stop(0);
        assertThat(eventWith(command.address, "out of reach")).contains("\"kind\":\"LOST\"");
      }
    } finally {
      node.stop(0);
    }
  }

  private static String refusal(int exitCode, String... arguments) {
    StringWriter errors = new StringWriter();
    int code =
        Loam.execute(
            new PrintWriter(new StringWriter()), new PrintWriter(errors, true), false, arguments);
    assertThat(code).as(errors.toString()).isEqualTo(exitCode);
    return errors.toString();
  }

  @Test
  void refusalsSayWhatToDo() {
    String there = directory.toString();
    assertThat(refusal(2, "dashboard", "--directory", there, "--listen", "0.0.0.0"))
        .contains("listen is 0.0.0.0", "give a token");
    assertThat(refusal(2, "dashboard", "--directory", there, "--token", "short"))
        .contains("at least 16 characters");
    assertThat(refusal(2, "dashboard", "--node", "127.0.0.1"))
        .contains("must be an address such as http://127.0.0.1:19004");
    assertThat(refusal(2, "dashboard", "--node", "http://127.0.0.1:99999"))
        .contains("the node is http://127.0.0.1:99999, must be an address such as");
    assertThat(refusal(2, "dashboard", "--node", "http://a", "--directory", there))
        .contains("mutually exclusive");
    assertThat(refusal(3, "dashboard", "--directory", there + "/none"))
        .contains("there is no directory");
  }
}
