package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.loam.dashboard.source.HttpAnswer;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;
import org.loam.workbench.console.Progress;

/** Where any cluster takes statements, also on other machines. Thread-safe. */
public final class QueryService {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

  /** AsterixDB sends none to a request that does not ask for them. */
  private static final int MAX_WARNINGS = 20;

  /** AsterixDB refuses to change anything then, before it begins: {@link #CHANGES}. */
  private static final String READ_ONLY = "&readonly=true";

  private static final String CHANGES = "ASX0044";

  /** For each whole answer except those to statements. */
  static final Duration ADMIN_LIMIT = Duration.ofSeconds(10);

  private final HttpClient client;
  private final String root;
  private final Duration adminLimit;
  private final String url;

  /**
   * The service of a cluster controller.
   *
   * @param root of its HTTP interface: {@code http://10.0.0.10:19002}
   */
  public QueryService(String root) {
    this(newClient(), root, ADMIN_LIMIT);
  }

  QueryService(HttpClient client, String root, Duration adminLimit) {
    this.client = client;
    this.root = root;
    this.adminLimit = adminLimit;
    this.url = root + "/query/service";
  }

  static HttpClient newClient() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(CONNECT_LIMIT)
        .build();
  }

  String url() {
    return url;
  }

  /**
   * Runs one statement, for as long as it takes.
   *
   * @param rows takes what it results in, row by row
   * @throws StatementException if AsterixDB refuses it, fails in it, or breaks off
   * @throws CommandException if there is no answer
   */
  public void run(String statement, Consumer<JsonNode> rows) throws InterruptedException {
    run(new SqlScript.Statement(1, statement), ResultFormat.JSON, rows);
  }

  /**
   * As {@link #run}, with rows as texts of AsterixDB's data model, which has types that JSON has
   * not.
   */
  public void runForTexts(String statement, Consumer<String> rows) throws InterruptedException {
    run(
        new SqlScript.Statement(1, statement),
        ResultFormat.ADM,
        row -> rows.accept(row.asText().strip()));
  }

  /**
   * As {@link #run}, with rows in AsterixDB's format {@code lossless-adm}: JSON in which each value
   * has its type. Queries with intervals fail, and multisets look as arrays do.
   */
  public void runLossless(String statement, Consumer<JsonNode> rows) throws InterruptedException {
    run(new SqlScript.Statement(1, statement), ResultFormat.LOSSLESS_ADM, rows);
  }

  /**
   * Process and configuration of the cluster controller, whatever the address that it is asked at;
   * empty if it does not say them.
   */
  public Optional<String> controller() throws InterruptedException {
    try {
      HttpResponse<String> response =
          HttpAnswer.get(client, URI.create(root + "/admin/cluster/cc/config"), adminLimit);
      JsonNode said = Json.read(response.body(), JsonNode.class);
      return said.has("pid") && said.has("config")
          ? Optional.of(said.path("pid") + " " + said.path("config"))
          : Optional.empty();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /**
   * As {@link #run}. A statement without an answer is sent again, once, if it only reads: whether
   * it does is for AsterixDB to say.
   *
   * @return AsterixDB's warnings
   */
  List<String> run(SqlScript.Statement statement, ResultFormat format, Consumer<JsonNode> rows)
      throws InterruptedException {
    String form =
        "max-warnings="
            + MAX_WARNINGS
            + "&statement="
            + URLEncoder.encode(statement.text(), StandardCharsets.UTF_8);
    try {
      Answer answer = Answer.read(send(form, format).body(), rows);
      if (!answer.isSuccess()) {
        throw new StatementException(statement.line(), fault(answer));
      }
      return answer.warnings();
    } catch (ConnectException | HttpConnectTimeoutException e) {
      throw CommandException.environment("there is no answer at " + url, e);
    } catch (StreamConstraintsException e) {
      throw new StatementException(
          statement.line(),
          "AsterixDB's answer has a row that this command cannot read: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new StatementException(
          statement.line(), "AsterixDB broke off its answer: " + e.getMessage());
    } catch (OutOfMemoryError e) {
      throw CommandException.environment(
          "the heap of this command has no room for a row of AsterixDB's answer; run it with more:"
              + " LOAM_JAVA_OPTS=-Xmx8g",
          e);
    }
  }

  /**
   * Sends a request, and once more if its connection ends without an answer, as connections to
   * AsterixDB do now and then. The statement may have been executed by then, so that the second
   * request must change nothing. HTTP clients send again by themselves what is no POST.
   *
   * @throws IOException why there was no answer at first, if there is none to the second either
   */
  private HttpResponse<InputStream> send(String form, ResultFormat format)
      throws IOException, InterruptedException {
    try {
      return post(form, format);
    } catch (ConnectException | HttpConnectTimeoutException e) {
      throw e;
    } catch (IOException e) {
      Progress.say("no answer at " + url + " (" + e.getMessage() + "); asking again");
      try {
        return post(form + READ_ONLY, format);
      } catch (IOException again) {
        e.addSuppressed(again);
        throw e;
      }
    }
  }

  private HttpResponse<InputStream> post(String form, ResultFormat format)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept", format.mediaType())
            .POST(BodyPublishers.ofString(form))
            .build();
    return client.send(request, BodyHandlers.ofInputStream());
  }

  private static String fault(Answer answer) {
    if (answer.error().startsWith(CHANGES)) {
      return "AsterixDB closed the connection without an answer; what the statement changes may be"
          + " changed, or not: look before you run it again";
    }
    return answer.error().isEmpty()
        ? "AsterixDB ended the statement with status '" + answer.status() + "'"
        : answer.error();
  }
}
