package org.loam.it.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.loam.common.key.Direction;
import org.loam.engine.DatasetBatch;
import org.loam.engine.json.JsonDataset;
import org.loam.engine.json.JsonIndex;
import org.loam.engine.json.JsonPath;

/**
 * What the checked-in datasets hold, as {@link GoldenContent} is what the trees do: a function of
 * the number of a batch, by arithmetic of its own, never changed.
 *
 * <p>Orders of JSON by number, with an index of two parts, of which countries may be null or
 * missing and weights descend, and an index of labels, of which an order has none to three.
 */
final class GoldenOrders {
  static final String NAME = "orders";

  static final JsonIndex BY_PLACE =
      new JsonIndex(
          "place",
          List.of(JsonPath.parse("address.country"), JsonPath.parse("weight")),
          List.of(Direction.ASCENDING, Direction.DESCENDING));

  static final JsonIndex BY_LABEL = JsonIndex.of("label", "labels[]");

  /** What it is dropped of before the last batches. */
  static final JsonIndex DROPPED = JsonIndex.of("dropped", "weight");

  /** The last batch that only adds. */
  static final int LOADED = 12;

  private static final int ORDERS_OF_BATCH = 10;
  private static final int CHANGES_OF_BATCH = 5;

  /** In their order: what is missing, null, and texts by code point. */
  private static final List<String> COUNTRIES =
      List.of("", "{\"country\":null}", country("NO"), country("SE"), country("\u00c5land"));

  private static final List<String> LABELS = List.of("big", "new", "red", "\ud83d\ude80");

  private GoldenOrders() {}

  private static String country(String name) {
    return "{\"country\":\"" + name + "\"}";
  }

  /**
   * A record.
   *
   * @param country which of the countries
   * @param halves the weight, doubled
   * @param labels which of the labels, ascending
   */
  private record Order(int id, int number, int country, int halves, List<Integer> labels) {
    static Order of(int id, int number) {
      int bits = (id * 5 + number * 3) % 16;
      return new Order(
          id,
          number,
          (id + number) % COUNTRIES.size(),
          (id * 7 + number * 11) % 40,
          // Never all four.
          IntStream.range(0, LABELS.size())
              .filter(label -> bits < 15 && (bits >> label) % 2 == 1)
              .boxed()
              .toList());
    }

    /** As the index says it. */
    String weight() {
      return halves / 2 + (halves % 2 == 0 ? "" : ".5");
    }

    /** As the record says it, which may be another way of the same number. */
    String spelledWeight() {
      return weight() + (halves % 2 == 0 && id % 3 == 0 ? ".0" : "");
    }

    String json() {
      String place = COUNTRIES.get(country);
      List<String> names = labels.stream().map(label -> "\"" + LABELS.get(label) + "\"").toList();
      return "{\"id\":"
          + id
          + (place.isEmpty() ? "" : ",\"address\":" + place)
          + ",\"weight\":"
          + spelledWeight()
          + ",\"labels\":["
          + String.join(",", names)
          + "],\"note\":\""
          + "order of batch ".repeat(1 + id % 4)
          + number
          + "\"}";
    }

    String placeEntry() {
      String place = COUNTRIES.get(country);
      return "{"
          + (place.isEmpty()
              ? ""
              : place.substring(1, place.length() - 1).replace("country", "address.country") + ",")
          + "\"weight\":"
          + weight()
          + ",\"id\":"
          + id
          + "}";
    }

    String labelEntry(int label) {
      return "{\"labels[]\":\"" + LABELS.get(label) + "\",\"id\":" + id + "}";
    }
  }

  /** Adds the writes of batch {@code number}, from 1. */
  static void addTo(DatasetBatch batch, JsonDataset dataset, int number) {
    for (int id : ids(number)) {
      Order order = Order.of(id, number);
      dataset.addTo(batch, order.json().getBytes(UTF_8));
      if (isDeletion(id, number)) {
        batch.delete(dataset.dataset(), dataset.keyOf(order.json().getBytes(UTF_8)));
      }
    }
  }

  private static List<Integer> ids(int number) {
    if (number <= LOADED) {
      int first = (number - 1) * ORDERS_OF_BATCH;
      return IntStream.range(first, first + ORDERS_OF_BATCH).boxed().toList();
    }
    return IntStream.range(0, CHANGES_OF_BATCH)
        .mapToObj(i -> (3 * number + i) * 37 % (LOADED * ORDERS_OF_BATCH))
        .toList();
  }

  private static boolean isDeletion(int id, int number) {
    return number > LOADED && (id + number) % 4 == 0;
  }

  private static TreeMap<Integer, Order> after(int last) {
    TreeMap<Integer, Order> orders = new TreeMap<>();
    for (int number = 1; number <= last; number++) {
      for (int id : ids(number)) {
        if (isDeletion(id, number)) {
          orders.remove(id);
        } else {
          orders.put(id, Order.of(id, number));
        }
      }
    }
    return orders;
  }

  /** The records after the batches up to {@code last}, in the order of their keys. */
  static List<String> records(int last) {
    return after(last).values().stream().map(Order::json).toList();
  }

  /** The entries of {@link #BY_PLACE} then, in their order. */
  static List<String> places(int last) {
    return after(last).values().stream()
        .sorted(
            Comparator.comparingInt(Order::country)
                .thenComparing(Order::halves, Comparator.reverseOrder())
                .thenComparing(Order::id))
        .map(Order::placeEntry)
        .toList();
  }

  /** The entries of {@link #BY_LABEL} then, in their order. */
  static List<String> labels(int last) {
    List<String> entries = new ArrayList<>();
    for (int label = 0; label < LABELS.size(); label++) {
      for (Order order : after(last).values()) {
        if (order.labels().contains(label)) {
          entries.add(order.labelEntry(label));
        }
      }
    }
    return entries;
  }
}
