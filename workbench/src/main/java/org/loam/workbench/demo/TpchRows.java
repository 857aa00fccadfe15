package org.loam.workbench.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trino.tpch.Distributions;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.TextPool;
import java.io.IOException;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Orders of the TPC-H benchmark, each with its lines, for machines without a package index. At
 * scale factor 0.043 there are 64,500, as many as packages, with about 258,000 lines, as many as
 * dependencies.
 *
 * <p>Comments are cut from a pool of text that is smaller than the 300 MB of the benchmark, so that
 * the demo fits a small heap.
 */
final class TpchRows implements RecordSource {
  static final double SCALE_FACTOR = 0.043;

  private static final int TEXT_POOL_BYTES = 4 << 20;

  private final double scaleFactor;

  TpchRows(double scaleFactor) {
    this.scaleFactor = scaleFactor;
  }

  @Override
  public String description() {
    return "TPC-H orders, scale factor " + scaleFactor + " (generated)";
  }

  @Override
  public Shape shape() {
    return Shape.ORDERS;
  }

  @Override
  public void forEach(RecordSink sink) throws IOException {
    Distributions words = Distributions.getDefaultDistributions();
    TextPool text = new TextPool(TEXT_POOL_BYTES, words);
    // Lines come in the order of their orders, at least one for each.
    Lines lines = new Lines(new LineItemGenerator(scaleFactor, 1, 1, words, text).iterator());
    for (Order order : new OrderGenerator(scaleFactor, 1, 1, words, text)) {
      ObjectNode record = record(order);
      lines.addTo(record.putArray("lines"), order.getOrderKey());
      sink.accept(record);
    }
  }

  private static ObjectNode record(Order order) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("order", String.format(Locale.ROOT, "Order#%09d", order.getOrderKey()))
        .put("customer", String.format(Locale.ROOT, "Customer#%09d", order.getCustomerKey()))
        .put("status", String.valueOf(order.getOrderStatus()))
        .put("total", order.getTotalPriceInCents())
        .put("date", date(order.getOrderDate()))
        .put("priority", order.getOrderPriority())
        .put("clerk", order.getClerk())
        .put("comment", order.getComment());
  }

  private static ObjectNode line(LineItem line) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("part", String.format(Locale.ROOT, "Part#%09d", line.getPartKey()))
        .put("supplier", String.format(Locale.ROOT, "Supplier#%09d", line.getSupplierKey()))
        .put("quantity", line.getQuantity())
        .put("price", line.getExtendedPriceInCents())
        .put("shipped", date(line.getShipDate()))
        .put("mode", line.getShipMode())
        .put("comment", line.getComment());
  }

  private static String date(int day) {
    return LocalDate.ofEpochDay(day).toString();
  }

  /** All lines, of which those of one order after the other are taken. */
  private static final class Lines {
    private final Iterator<LineItem> lines;
    private @Nullable LineItem next;

    Lines(Iterator<LineItem> lines) {
      this.lines = lines;
      step();
    }

    void addTo(ArrayNode array, long orderKey) {
      LineItem line = next;
      while (line != null && line.getOrderKey() == orderKey) {
        array.add(line(line));
        step();
        line = next;
      }
    }

    private void step() {
      next = lines.hasNext() ? lines.next() : null;
    }
  }
}
