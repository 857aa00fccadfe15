package org.loam.workbench.asterixdb.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Runs many statements in a cluster, over connections that stay open. Thread-safe. */
public final class StatementClient {
  private final HttpApi api;

  StatementClient(HttpApi api) {
    this.api = api;
  }

  /**
   * Runs a script and gives all rows back.
   *
   * @throws StatementException at the first statement that fails
   */
  public List<JsonNode> rows(String script) throws InterruptedException {
    List<JsonNode> rows = new ArrayList<>();
    for (SqlScript.Statement statement : SqlScript.statements(script)) {
      api.run(statement, rows::add);
    }
    return rows;
  }

  /**
   * Runs a script and gives all rows back as AsterixDB's data model has them: JSON has no durations
   * and no infinite numbers.
   *
   * @throws StatementException at the first statement that fails
   */
  public List<String> texts(String script) throws InterruptedException {
    List<String> rows = new ArrayList<>();
    for (SqlScript.Statement statement : SqlScript.statements(script)) {
      api.run(statement, ResultFormat.ADM, row -> rows.add(row.asText().strip()));
    }
    return rows;
  }

  /**
   * Runs a script and gives all rows back in AsterixDB's format {@code lossless-adm}: JSON that
   * says of each number, too, which type it has. Queries with intervals fail, and multisets look as
   * arrays do.
   *
   * @throws StatementException at the first statement that fails
   */
  public List<String> losslessTexts(String script) throws InterruptedException {
    List<String> rows = new ArrayList<>();
    for (SqlScript.Statement statement : SqlScript.statements(script)) {
      api.run(statement, ResultFormat.LOSSLESS_ADM, row -> rows.add(row.toString()));
    }
    return rows;
  }

  /**
   * Has the nodes write what they have of a dataset in memory.
   *
   * @return whether there is such a dataset
   */
  public boolean flush(String dataverse, String dataset) throws InterruptedException {
    return api.flush(dataverse, dataset);
  }
}
