package org.loam.workbench.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.loam.common.config.EngineConfig;
import org.loam.common.key.Direction;
import org.loam.common.sim.Simulation;
import org.loam.engine.Engine;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonIndex;
import org.loam.engine.json.JsonPath;
import org.loam.lsm.dataset.IndexDefinition;
import org.loam.workbench.console.Json;

class StatsReportTest {
  private static final JsonIndex LATEST =
      new JsonIndex(
          "latest",
          List.of(JsonPath.parse("customer"), JsonPath.parse("date")),
          List.of(Direction.ASCENDING, Direction.DESCENDING));

  @Test
  void datasetsAreShownAsPeopleWouldMakeThem() {
    try (Simulation sim = Simulation.seeded(5)) {
      sim.run(
          () -> {
            EngineConfig config =
                EngineConfig.builder()
                    .memoryTotalBytes(64 << 20)
                    .logSegmentBytes(64 << 10)
                    .logMaxBytes(1 << 20)
                    .build();
            try (Engine engine = Engine.open(sim.env(), sim.directory(), config)) {
              JsonDataset.create(engine, "orders", List.of("a.id", "b"), List.of(LATEST));
              IndexDefinition index = IndexDefinition.of("f", "byte 7", (record, keys) -> {});
              engine.datasets().create("foreign", "my own", List.of(index));
              StatsReport report = StatsReport.of(engine, false);
              assertThat(report.text().lines().filter(line -> line.matches("(dataset|index).*")))
                  .containsExactly(
                      "dataset  foreign: not of JSON records, but my own",
                      "index    f=byte 7",
                      "dataset  orders: key a.id,b",
                      "index    latest=customer,date:desc");
              JsonNode json = JsonText.parse(Json.line(report).getBytes(UTF_8)).path("datasets");
              assertThat(json)
                  .hasToString(
                      "[{\"name\":\"foreign\",\"key\":[],\"indexes\":[\"f=byte 7\"],"
                          + "\"rule\":\"my own\"},{\"name\":\"orders\",\"key\":[\"a.id\",\"b\"],"
                          + "\"indexes\":[\"latest=customer,date:desc\"]}]");
            }
          });
    }
  }
}
