package org.loam.workbench.asterixdb.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.loam.workbench.asterixdb.cluster.QueryService;

/** A cluster that is asked over HTTP. */
record QueriedCluster(QueryService service) implements MoveCluster {
  @Override
  public long count(String dataset) throws InterruptedException {
    List<JsonNode> rows = new ArrayList<>();
    service.run("SELECT VALUE COUNT(*) FROM " + dataset + ";", rows::add);
    return rows.get(0).longValue();
  }

  @Override
  public void read(String dataset, Consumer<String> records) throws InterruptedException {
    service.runForTexts("SELECT VALUE d FROM " + dataset + " d;", records);
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
  public void drop(String dataset) throws InterruptedException {
    service.run("DROP DATASET " + dataset + ";", row -> {});
  }
}
