package com.example.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.loam.common.config.EngineConfig;
import org.loam.common.key.KeyBuilder;
import org.loam.engine.Engine;
import org.loam.engine.IndexQuery;
import org.loam.engine.json.JsonCursor;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonIndex;

/** Orders as JSON records, in a dataset that keeps the index itself. */
final class OrderDataset {
  private OrderDataset() {}

  /**
   * Takes three orders, and lists those of a customer.
   *
   * @param directory where the database is made; empty, or not there yet
   */
  static void run(Path directory, PrintStream out) {
    EngineConfig config = EngineConfig.builder().memoryTotalBytes(256 << 20).build();
    // [README
    try (Engine engine = Engine.open(directory, config)) {
      JsonIndex latest = JsonIndex.of("latest", "customer", "date");
      JsonDataset orders = JsonDataset.create(engine, "orders", List.of("id"), List.of(latest));

      // Each record together with its index entries.
      orders.upsert(json("{'id': 1001, 'customer': 'ann', 'date': '2024-03-01'}"));
      orders.upsert(json("{'id': 1002, 'customer': 'bob', 'date': '2024-03-02'}"));
      orders.upsert(json("{'id': 1003, 'customer': 'ann', 'date': '2024-03-05'}"));

      // Ann's orders, the latest first: the first parts of a key will do.
      byte[] ann = new KeyBuilder().add("ann").toBytes();
      try (JsonCursor found = orders.query("latest", IndexQuery.equal(ann).reverse().limit(10))) {
        while (found.next()) {
          out.println(found.record().get("id") + " of " + found.record().get("date").asText());
        }
      }
    }
    // README]
  }

  private static byte[] json(String text) {
    return text.replace('\'', '"').getBytes(UTF_8);
  }
}
