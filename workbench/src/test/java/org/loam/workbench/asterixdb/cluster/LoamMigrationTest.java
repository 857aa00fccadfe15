package org.loam.workbench.asterixdb.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.asterixdb.migrate.MigrateCommand;
import picocli.CommandLine;

/** Data of a cluster on stock storage moves to one on Loam beside it. */
@Tag("once")
@Tag("soak")
class LoamMigrationTest {
  private static final String SCHEMA =
      """
      CREATE DATAVERSE shop;
      USE shop;
      CREATE TYPE OrderType AS { id: bigint, city: string, paid: datetime? };
      CREATE DATASET orders(OrderType) PRIMARY KEY id;
      CREATE INDEX byCity ON orders(city);
      CREATE TYPE ThingType AS { code: string };
      CREATE DATASET things(ThingType) PRIMARY KEY code;
      CREATE DATASET none(ThingType) PRIMARY KEY code;
      """;

  /** Types that JSON has not, in fields that the type of the records does not name. */
  private static final String THINGS =
      """
      USE shop;
      INSERT INTO things ([
        {"code": "numbers", "a": tinyint("1"), "b": smallint("-2"), "c": integer("3"), "d": 4, "e": float("1.5"),
          "f": 2.5, "g": double("INF"), "h": double("NaN")},
        {"code": "times", "a": date("2020-02-29"), "b": time("12:30:45.678"),
          "c": datetime("2020-02-29T12:30:45.678Z"), "d": duration("P1Y2M3DT4H5M6.789S"),
          "e": year_month_duration("P1Y2M"), "f": day_time_duration("P3DT4H"),
          "g": interval(date("2020-01-01"), date("2020-12-31"))},
        {"code": "places", "a": point("1.5,-2.5"), "b": line("0,0 1,1"), "c": circle("1,2 3"),
          "d": rectangle("0,0 2,2"), "e": polygon("0,0 0,1 1,1")},
        {"code": "others", "a": uuid("5c848e5c-6b6a-498f-8452-8847a2957421"), "b": hex("00FF10"),
          "c": null, "d": true, "e": [1, "two", [3.0]], "f": {{1, 1, null}}, "g": {"h": {"i": []}}},
        {"code": "a \\"quoted\\" \\\\ text,\\n of two lines\\t and {braces} []", "z": "Żółć 雪 🙂"}
      ]);
      """;

  @TempDir Path directory;

  private final List<AsterixCluster> clusters = new ArrayList<>();

  @AfterEach
  void leaveNoProcessBehind() throws InterruptedException {
    for (AsterixCluster cluster : clusters) {
      cluster.killAll();
    }
  }

  private AsterixCluster started(String name, ClusterSettings settings)
      throws InterruptedException {
    AsterixCluster cluster =
        new AsterixCluster(directory.resolve(name), new Artifacts(Path.of("..")));
    clusters.add(cluster);
    cluster.start(settings.briefly());
    cluster.rows(SCHEMA);
    return cluster;
  }

  private static String orders(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            id ->
                String.format(
                    "{\"id\":%d,\"city\":\"%s\",\"paid\":%s,\"more\":%d}",
                    id,
                    id % 4 == 0 ? "Rome" : "Oslo",
                    id % 3 == 0 ? "null" : "datetime(\"2025-11-26T01:02:03.004\")",
                    id))
        .collect(Collectors.joining(",", "USE shop; INSERT INTO orders ([", "]);"));
  }

  /** Runs the command; its exit code, and what it said on standard error. */
  private int migrate(StringWriter said, String... arguments) {
    return new CommandLine(new MigrateCommand())
        .setErr(new PrintWriter(said, true))
        .setOut(new PrintWriter(said, true))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              said.append(e.getMessage());
              return 1;
            })
        .execute(arguments);
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void datasetsMoveOneAfterTheOther() throws Exception {
    ClusterSettings stock = FreePorts.settings(Storage.STOCK);
    ClusterSettings loam = Ports.findFreeBehind(stock, Storage.LOAM);
    AsterixCluster old = started("old", stock);
    AsterixCluster fresh = started("fresh", loam);
    old.rows(orders(0, 3000));
    old.rows(orders(3000, 6000));
    old.rows(THINGS);
    List<String> things = old.client().texts("SELECT VALUE t FROM shop.things t ORDER BY t.code;");
    Path files = Files.createDirectory(directory.resolve("move"));
    String[] all = {
      "--from",
      "http://127.0.0.1:" + stock.port(),
      "--to",
      "http://127.0.0.1:" + loam.port(),
      "--node",
      "nc2",
      "--files",
      files.toString(),
      "--drop",
      "shop.orders",
      "shop.things",
      "shop.none"
    };
    StringWriter said = new StringWriter();
    assertThat(migrate(said, all)).as(said.toString()).isZero();
    assertThat(files).isEmptyDirectory();
    assertThat(fresh.rows("SELECT VALUE COUNT(*) FROM shop.orders o WHERE o.city = 'Rome';"))
        .hasToString("[1500]");
    assertThat(fresh.client().texts("SELECT VALUE t FROM shop.things t ORDER BY t.code;"))
        .isEqualTo(things)
        .hasSize(5);
    assertThat(String.valueOf(fresh.loamStatistics(Node.NC1).orElseThrow().path("trees")))
        .contains("/shop/orders/0/orders", "/shop/things/0/things");
    assertThatThrownBy(() -> old.rows("SELECT VALUE o FROM shop.orders o;"))
        .isInstanceOf(StatementException.class)
        .hasMessageContaining("orders");

    // What is there is not filled again.
    old.rows("USE shop; CREATE DATASET orders(OrderType) PRIMARY KEY id;");
    StringWriter refused = new StringWriter();
    assertThat(migrate(refused, Arrays.copyOf(all, all.length - 2))).isEqualTo(1);
    assertThat(refused.toString()).contains("has 6000 records; only an empty one is filled");
  }
}
