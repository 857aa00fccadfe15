package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.loam.dashboard.source.HttpAnswer;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;

/** The nodes' HTTP interfaces: statements, what the controller knows, and Loam's statistics. */
final class HttpApi {
  private final HttpClient client = QueryService.newClient();
  private final ClusterSettings settings;
  private final Duration adminLimit;
  private final String root;
  private final QueryService service;

  HttpApi(ClusterSettings settings) {
    this(settings, QueryService.ADMIN_LIMIT);
  }

  /**
   * @param adminLimit for each whole answer except those to statements
   */
  HttpApi(ClusterSettings settings, Duration adminLimit) {
    this.settings = settings;
    this.adminLimit = adminLimit;
    this.root = url(Node.CC);
    this.service = new QueryService(client, root, adminLimit);
  }

  private String url(Node node) {
    return "http://127.0.0.1:" + settings.httpPort(node);
  }

  /** Where statements go. */
  String queryUrl() {
    return service.url();
  }

  /** What the controller believes; empty if it does not answer. */
  Optional<ClusterState> state() throws InterruptedException {
    return admin("/admin/cluster").map(ClusterState::of);
  }

  /** The process that registered last as this node; empty if the controller does not say. */
  Optional<Long> registeredId(Node node) throws InterruptedException {
    return admin("/admin/cluster/node/" + node.id() + "/config")
        .map(config -> config.path("pid"))
        .filter(JsonNode::isNumber)
        .map(JsonNode::longValue);
  }

  /** What Loam holds on a node and has done; empty if the node does not answer or has no Loam. */
  Optional<JsonNode> loamStatistics(Node node) throws InterruptedException {
    return get(url(node) + "/admin/loam");
  }

  /** The same as Prometheus reads it; empty if the node does not answer. */
  Optional<String> loamMetrics(Node node) throws InterruptedException {
    return text(url(node) + "/admin/loam/metrics");
  }

  /** Has the nodes write what they have of a dataset in memory; false if there is none such. */
  boolean flush(String dataverse, String dataset) throws InterruptedException {
    return admin("/connector?dataverseName=" + dataverse + "&datasetName=" + dataset)
        .filter(answer -> answer.has("splits"))
        .isPresent();
  }

  private Optional<JsonNode> admin(String path) throws InterruptedException {
    return get(root + path);
  }

  private Optional<JsonNode> get(String url) throws InterruptedException {
    try {
      return text(url).map(body -> Json.read(body, JsonNode.class));
    } catch (UncheckedIOException e) {
      return Optional.empty();
    }
  }

  private Optional<String> text(String url) throws InterruptedException {
    try {
      HttpResponse<String> response = HttpAnswer.get(client, URI.create(url), adminLimit);
      return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Runs one statement, for as long as it takes.
   *
   * @param rows takes what it results in, row by row
   * @return AsterixDB's warnings
   * @throws StatementException if AsterixDB refuses it, fails in it, or breaks off
   * @throws CommandException if there is no answer
   */
  List<String> run(SqlScript.Statement statement, Consumer<JsonNode> rows)
      throws InterruptedException {
    return run(statement, ResultFormat.JSON, rows);
  }

  /** As the other method, with rows in a format. */
  List<String> run(SqlScript.Statement statement, ResultFormat format, Consumer<JsonNode> rows)
      throws InterruptedException {
    return service.run(statement, format, rows);
  }
}
