package com.example.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.nio.file.Path;
import org.loam.common.config.EngineConfig;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;

/** Orders and an index of them by customer, in a database of their own. */
final class Orders {
  private Orders() {}

  /**
   * Takes two orders, has one paid, and lists those of a customer.
   *
   * @param directory where the database is made; empty, or not there yet
   */
  static void run(Path directory, PrintStream out) {
    // [README
    EngineConfig config = EngineConfig.builder().memoryTotalBytes(256 << 20).build();
    try (Engine engine = Engine.open(directory, config)) {
      Tree orders = engine.createTree("orders");
      Tree byCustomer = engine.createTree("orders by customer");

      // All of it or nothing, in both trees: for readers, and after a crash.
      engine.write(
          new WriteBatch()
              .put(orders, bytes("1001"), bytes("new"))
              .put(orders, bytes("1002"), bytes("new"))
              .put(byCustomer, bytes("ann/1001"), bytes(""))
              .put(byCustomer, bytes("ann/1002"), bytes("")));

      try (Snapshot before = engine.snapshot()) {
        // Only if it is still new; false if somebody was faster.
        boolean paid = orders.compareAndPut(bytes("1001"), bytes("new"), bytes("paid"));
        String now = text(orders.get(bytes("1001"))); // null if there is no such key
        out.println(paid + ": " + now + ", was " + text(before.get(orders, bytes("1001"))));
      }

      try (Cursor cursor = byCustomer.scan(ScanOptions.all().prefix(bytes("ann/")))) {
        while (cursor.next()) {
          out.println(text(cursor.key()));
        }
      }
    }
    // README]
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
