package org.loam.workbench.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** A browser without a window, which a test steers by the protocol of its developer tools. */
public final class Chromium implements AutoCloseable {
  /** Where Debian puts it. */
  public static final Path PROGRAM = Path.of("/usr/bin/chromium");

  /** What each run of it needs. */
  public static final List<String> OPTIONS =
      List.of(
          PROGRAM.toString(),
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--hide-scrollbars",
          "--no-first-run");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern LISTENING = Pattern.compile("DevTools listening on ws://([^/]+)/.*");

  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private int commands;

  private Chromium(Process process, WebSocket.Builder builder, URI page) {
    this.process = process;
    this.socket = builder.buildAsync(page, new Answers()).join();
  }

  /** Skips the test, or fails it if a browser is required, where there is none. */
  public static void require() {
    boolean found = Files.isExecutable(PROGRAM);
    if (Boolean.getBoolean("loam.chromium.required")) {
      assertThat(found).as(PROGRAM + "; Debian: apt install chromium").isTrue();
    }
    Assumptions.assumeTrue(found, "no " + PROGRAM + ", so the page is not drawn");
  }

  /**
   * Starts one.
   *
   * @param profile a directory of its own
   */
  public static Chromium start(Path profile) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(OPTIONS);
    command.addAll(
        List.of(
            "--remote-debugging-port=0",
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
            "--window-size=1300,1000",
            "--user-data-dir=" + profile,
            "about:blank"));
    ProcessBuilder builder = new ProcessBuilder(command);
    Process process = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try {
      HttpClient http = HttpClient.newHttpClient();
      URI pages = URI.create("http://" + listening(process) + "/json/list");
      String list =
          http.send(HttpRequest.newBuilder(pages).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      for (JsonNode page : JSON.readTree(list)) {
        if (page.path("type").asText().equals("page")) {
          URI address = URI.create(page.path("webSocketDebuggerUrl").asText());
          return new Chromium(process, http.newWebSocketBuilder(), address);
        }
      }
      throw new AssertionError("the browser has no page: " + list);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static String listening(Process process) throws IOException {
    BufferedReader errors =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = errors.readLine(); line != null; line = errors.readLine()) {
      Matcher address = LISTENING.matcher(line);
      if (address.matches()) {
        Thread rest = new Thread(() -> errors.lines().forEach(ignored -> {}), "browser errors");
        rest.setDaemon(true);
        rest.start();
        return address.group(1);
      }
      said.append(line).append('\n');
    }
    throw new IOException("the browser did not start: " + said);
  }

  private final class Answers implements WebSocket.Listener {
    private final StringBuilder part = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      part.append(data);
      if (last) {
        answers.add(part.toString());
        part.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private JsonNode command(String method, ObjectNode parameters)
      throws IOException, InterruptedException {
    ObjectNode command = JSON.createObjectNode();
    int id = ++commands;
    command.put("id", id).put("method", method).set("params", parameters);
    socket.sendText(command.toString(), true).join();
    while (true) {
      JsonNode answer = JSON.readTree(answers.take());
      if (answer.path("id").asInt() == id) {
        assertThat(answer.path("error").toString()).as(method).isEmpty();
        return answer.path("result");
      }
    }
  }

  /** Opens a page. */
  public void open(URI page) throws IOException, InterruptedException {
    JsonNode done = command("Page.navigate", JSON.createObjectNode().put("url", page.toString()));
    assertThat(done.path("errorText").asText()).as(page.toString()).isEmpty();
  }

  /** The value of an expression of JavaScript, in which a promise is awaited. */
  public JsonNode evaluate(String expression) throws IOException, InterruptedException {
    ObjectNode parameters = JSON.createObjectNode();
    parameters.put("expression", expression).put("returnByValue", true).put("awaitPromise", true);
    JsonNode done = command("Runtime.evaluate", parameters);
    assertThat(done.path("exceptionDetails").toString()).as(expression).isEmpty();
    return done.path("result").path("value");
  }

  /** Waits until an expression of JavaScript holds in the page. */
  public void await(String condition) throws IOException, InterruptedException {
    evaluate(
        "new Promise(done => { const look = () => { if ("
            + condition
            + ") done(true); else setTimeout(look, 100); }; look(); })");
  }

  /** Draws the whole page into a file, as PNG. */
  public void draw(Path picture) throws IOException, InterruptedException {
    JsonNode size =
        command("Page.getLayoutMetrics", JSON.createObjectNode()).path("cssContentSize");
    ObjectNode parameters = JSON.createObjectNode();
    parameters.put("captureBeyondViewport", true);
    parameters
        .putObject("clip")
        .put("x", 0)
        .put("y", 0)
        .put("width", size.path("width").asInt())
        .put("height", size.path("height").asInt())
        .put("scale", 1);
    JsonNode drawn = command("Page.captureScreenshot", parameters);
    Files.createDirectories(picture.toAbsolutePath().getParent());
    Files.write(picture, Base64.getDecoder().decode(drawn.path("data").asText()));
  }

  @Override
  public void close() throws InterruptedException {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }
}
