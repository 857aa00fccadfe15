package org.loam.workbench.workload.tpcc;

import java.util.Locale;

/**
 * The tables (1.2). {@link TableKeys} says what their keys are, {@link Columns} what a record has.
 */
public enum Table {
  WAREHOUSE(Columns.Warehouse.NUMBER_BYTES),
  DISTRICT(Columns.District.NUMBER_BYTES),
  CUSTOMER(Columns.Customer.NUMBER_BYTES),
  HISTORY(Columns.History.NUMBER_BYTES),
  NEW_ORDER(0),
  ORDERS(Columns.Order.NUMBER_BYTES),
  ORDER_LINE(Columns.OrderLine.NUMBER_BYTES),
  ITEM(Columns.Item.NUMBER_BYTES),
  STOCK(Columns.Stock.NUMBER_BYTES);

  private final int numberBytes;

  Table(int numberBytes) {
    this.numberBytes = numberBytes;
  }

  /** Bytes of the numbers at the beginning of a record. */
  int numberBytes() {
    return numberBytes;
  }

  /** The name in a store. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
