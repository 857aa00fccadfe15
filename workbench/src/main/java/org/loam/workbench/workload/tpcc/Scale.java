package org.loam.workbench.workload.tpcc;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * How much there is (1.2.1).
 *
 * @param warehouses each with ten districts, and with stock of all items
 * @param items for all warehouses, 100,000 in full size
 * @param customers of a district, 3,000 in full size; at first each has one order
 */
public record Scale(
    @JsonProperty("warehouses") int warehouses,
    @JsonProperty("items") int items,
    @JsonProperty("customers") int customers) {
  /** Districts of a warehouse. */
  public static final int DISTRICTS = 10;

  private static final int FULL_ITEMS = 100_000;
  private static final int FULL_CUSTOMERS = 3_000;
  private static final int MOST_WAREHOUSES = 10_000;

  /** A warehouse has as much as an order has lines, twice, so that the lines may differ. */
  private static final int LEAST_ITEMS = 30;

  private static final int LEAST_CUSTOMERS = 10;

  /** Bytes of keys and records of an item with the stock of one warehouse, about. */
  private static final long STOCK_BYTES = 320;

  /** Bytes of keys and records of a customer with its first order and payment, about. */
  private static final long CUSTOMER_BYTES = 1_500;

  public Scale {
    require(
        warehouses >= 1 && warehouses <= MOST_WAREHOUSES, "warehouses", warehouses, "1 to 10000");
    require(items >= LEAST_ITEMS && items <= FULL_ITEMS, "items", items, "30 to 100000");
    require(
        customers >= LEAST_CUSTOMERS && customers <= FULL_CUSTOMERS,
        "customers",
        customers,
        "10 to 3000");
  }

  /**
   * Some warehouses of a part of their full size.
   *
   * @param part of items, customers and orders, above 0 and at most 1
   */
  public static Scale of(int warehouses, double part) {
    if (!(part > 0 && part <= 1)) {
      throw new IllegalArgumentException("part = " + part + ", rule: above 0, at most 1");
    }
    return new Scale(
        warehouses,
        Math.max(LEAST_ITEMS, (int) (FULL_ITEMS * part)),
        Math.max(LEAST_CUSTOMERS, (int) (FULL_CUSTOMERS * part)));
  }

  /** The last of the orders that are delivered at first. */
  public int lastDelivered() {
    return customers * 7 / 10;
  }

  /** Bytes of all keys and records at first, about. */
  public long dataBytes() {
    return warehouses * (items * STOCK_BYTES + (long) DISTRICTS * customers * CUSTOMER_BYTES);
  }

  private static void require(boolean holds, String name, int value, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(name + " = " + value + ", rule: " + rule);
    }
  }
}
