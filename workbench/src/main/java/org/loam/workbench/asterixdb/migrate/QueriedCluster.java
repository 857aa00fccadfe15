package org.loam.workbench.asterixdb.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.loam.workbench.asterixdb.cluster.QueryService;
import org.loam.workbench.asterixdb.cluster.StatementException;
import org.loam.workbench.console.CommandException;
import org.loam.workbench.console.Json;

/** A cluster that is asked over HTTP. */
record QueriedCluster(QueryService service) implements MoveCluster {
  /** There is no such dataset, or not even its dataverse. */
  private static final Set<String> ABSENT = Set.of("ASX1050", "ASX1063", "ASX1077");

  /** When its datasets were created. */
  private static final String CREATED =
      "SELECT VALUE d.`Timestamp` FROM Metadata.`Dataset` d"
          + " ORDER BY d.DataverseName, d.DatasetName;";

  private static final String NOT_PRINTED = "No printer for type geometry";

  @Override
  public Optional<String> identity() throws InterruptedException {
    Optional<String> controller = service.controller();
    if (controller.isEmpty()) {
      return controller;
    }
    // Those of two clusters may look the same, if each has a machine or a container of its own.
    StringBuilder identity = new StringBuilder(controller.get());
    service.run(CREATED, row -> identity.append(' ').append(row));
    return Optional.of(identity.toString());
  }

  @Override
  public OptionalLong count(String dataset) throws InterruptedException {
    List<JsonNode> rows = new ArrayList<>();
    try {
      service.run("SELECT VALUE COUNT(*) FROM " + dataset + ";", rows::add);
    } catch (StatementException e) {
      if (ABSENT.contains(e.code())) {
        return OptionalLong.empty();
      }
      throw e;
    }
    return OptionalLong.of(rows.get(0).longValue());
  }

  @Override
  public void readPlain(String dataset, Consumer<String> records) throws InterruptedException {
    service.runForTexts("SELECT VALUE d FROM " + dataset + " d;", records);
  }

  @Override
  public void readLossless(String dataset, Set<String> without, Consumer<JsonNode> records)
      throws InterruptedException {
    try {
      service.runLossless(losslessQuery(dataset, without), records);
    } catch (StatementException e) {
      if (String.valueOf(e.getMessage()).contains(NOT_PRINTED)) {
        throw geometry(dataset);
      }
      throw e;
    }
  }

  /** AsterixDB does not say which record it cannot print. */
  private CommandException geometry(String dataset) throws InterruptedException {
    List<JsonNode> found = new ArrayList<>();
    service.run(
        "SELECT VALUE [p.name, d] FROM "
            + dataset
            + " d, object_pairs(d) p WHERE get_type(p.`value`) = \"geometry\" LIMIT 1;",
        found::add);
    String why = "has a geometry, which AsterixDB does not print without a loss";
    return found.isEmpty()
        ? CommandException.failed(dataset + ": a record " + why + ". Nothing was loaded or dropped")
        : PlainText.unmovable(
            dataset, found.get(0).path(0).asText(), why, found.get(0).path(1).toString());
  }

  /** The query for all records without some of their fields. */
  static String losslessQuery(String dataset, Set<String> without) {
    String names = without.stream().map(Json::line).collect(Collectors.joining(", "));
    String record = without.isEmpty() ? "d" : "object_remove_fields(d, [" + names + "])";
    return "SELECT VALUE " + record + " FROM " + dataset + " d;";
  }

  @Override
  public void load(String dataset, String node, Path file) throws InterruptedException {
    service.run(statement(dataset, node, file), row -> {});
  }

  /** The statement that loads a file. */
  static String statement(String dataset, String node, Path file) {
    return "LOAD DATASET "
        + dataset
        + " USING localfs ((\"path\"=\""
        + (node + "://" + file).replace("\\", "\\\\").replace("\"", "\\\"")
        + "\"),(\"format\"=\"adm\"));";
  }

  @Override
  public void insert(String dataset, List<String> records) throws InterruptedException {
    service.run("INSERT INTO " + dataset + " ([" + String.join(", ", records) + "]);", row -> {});
  }

  @Override
  public void drop(String dataset) throws InterruptedException {
    service.run("DROP DATASET " + dataset + ";", row -> {});
  }
}
