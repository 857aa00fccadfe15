package org.loam.workbench.workload.tpcc;

import java.util.SplittableRandom;
import org.loam.workbench.workload.tpcc.Chance.Constants;

/**
 * The records that tables have at first (4.3.3). The records of a warehouse follow from the seed
 * and its number, so that threads may make warehouses apart.
 */
public final class InitialRows {
  /** W_YTD of each warehouse, in cents. */
  public static final long YTD_OF_WAREHOUSE = 300_000_00;

  private static final long YTD_OF_DISTRICT = YTD_OF_WAREHOUSE / Scale.DISTRICTS;
  private static final int FIRST_NAMES = 1_000;

  private final Scale scale;
  private final long seed;
  private final long nowMillis;
  private final Sink sink;

  /** Takes records; keys come in no order. */
  public interface Sink {
    void row(Table table, byte[] key, byte[] row);
  }

  /**
   * @param nowMillis the date of everything
   */
  public InitialRows(Scale scale, long seed, long nowMillis, Sink sink) {
    this.scale = scale;
    this.seed = seed;
    this.nowMillis = nowMillis;
    this.sink = sink;
  }

  private Chance chance(int part) {
    SplittableRandom random = new SplittableRandom(seed * 31 + part);
    return new Chance(random, scale, Constants.ofLoad(seed));
  }

  /** The items, which all warehouses share. */
  public void items() {
    Chance chance = chance(0);
    for (int item = 1; item <= scale.items(); item++) {
      Row row =
          Row.create(Table.ITEM, chance.text(14, 24), chance.data())
              .set(Columns.Item.IMAGE, chance.uniform(1, 10_000))
              .set(Columns.Item.PRICE, chance.uniform(1_00, 100_00));
      sink.row(Table.ITEM, TableKeys.item(item), row.bytes());
    }
  }

  /** A warehouse, from 1, with all that belongs to it. */
  public void warehouse(int warehouse) {
    Chance chance = chance(warehouse);
    Row row =
        place(Table.WAREHOUSE, chance)
            .set(Columns.Warehouse.TAX, chance.uniform(0, 2_000))
            .set(Columns.Warehouse.YTD, YTD_OF_WAREHOUSE);
    sink.row(Table.WAREHOUSE, TableKeys.warehouse(warehouse), row.bytes());
    for (int item = 1; item <= scale.items(); item++) {
      stock(warehouse, item, chance);
    }
    for (int district = 1; district <= Scale.DISTRICTS; district++) {
      district(warehouse, district, chance);
      for (int customer = 1; customer <= scale.customers(); customer++) {
        customer(warehouse, district, customer, chance);
      }
      int[] customers = chance.permutation(scale.customers());
      for (int order = 1; order <= customers.length; order++) {
        order(warehouse, district, order, customers[order - 1], chance);
      }
    }
  }

  /** Name, two lines of street, city, state and post code. */
  private static Row place(Table table, Chance chance) {
    return Row.create(
        table,
        chance.text(6, 10),
        chance.text(10, 20),
        chance.text(10, 20),
        chance.text(10, 20),
        chance.text(2, 2),
        postCode(chance));
  }

  private static String postCode(Chance chance) {
    return chance.digits(4) + "11111";
  }

  private void stock(int warehouse, int item, Chance chance) {
    String[] texts = new String[Scale.DISTRICTS + 1];
    for (int i = 0; i < Scale.DISTRICTS; i++) {
      texts[i] = chance.text(24, 24);
    }
    texts[Columns.Stock.DATA] = chance.data();
    Row row = Row.create(Table.STOCK, texts).set(Columns.Stock.QUANTITY, chance.uniform(10, 100));
    sink.row(Table.STOCK, TableKeys.stock(warehouse, item), row.bytes());
  }

  private void district(int warehouse, int district, Chance chance) {
    Row row =
        place(Table.DISTRICT, chance)
            .set(Columns.District.TAX, chance.uniform(0, 2_000))
            .set(Columns.District.YTD, YTD_OF_DISTRICT)
            .set(Columns.District.NEXT_ORDER, scale.customers() + 1L);
    sink.row(Table.DISTRICT, TableKeys.district(warehouse, district), row.bytes());
  }

  private void customer(int warehouse, int district, int customer, Chance chance) {
    Row row =
        Row.create(
                Table.CUSTOMER,
                chance.text(8, 16),
                "OE",
                customer <= FIRST_NAMES ? Chance.lastName(customer - 1) : chance.lastName(),
                chance.percent(10) ? "BC" : "GC",
                chance.text(10, 20),
                chance.text(10, 20),
                chance.text(10, 20),
                chance.text(2, 2),
                postCode(chance),
                chance.digits(16),
                chance.text(300, 500))
            .set(Columns.Customer.SINCE, nowMillis)
            .set(Columns.Customer.CREDIT_LIMIT, 50_000_00)
            .set(Columns.Customer.DISCOUNT, chance.uniform(0, 5_000))
            .set(Columns.Customer.BALANCE, -10_00)
            .set(Columns.Customer.YTD_PAYMENT, 10_00)
            .set(Columns.Customer.PAYMENTS, 1);
    sink.row(Table.CUSTOMER, TableKeys.customer(warehouse, district, customer), row.bytes());
    Row payment =
        Row.create(Table.HISTORY, chance.text(12, 24))
            .set(Columns.History.WAREHOUSE, warehouse)
            .set(Columns.History.DISTRICT, district)
            .set(Columns.History.DATE, nowMillis)
            .set(Columns.History.AMOUNT, 10_00);
    byte[] key = TableKeys.history(warehouse, district, customer, 1);
    sink.row(Table.HISTORY, key, payment.bytes());
  }

  private void order(int warehouse, int district, int order, int customer, Chance chance) {
    boolean delivered = order <= scale.lastDelivered();
    int lines = chance.uniform(5, 15);
    byte[] key = TableKeys.order(warehouse, district, order);
    Row row =
        Row.create(Table.ORDERS)
            .set(Columns.Order.CUSTOMER, customer)
            .set(Columns.Order.ENTRY_DATE, nowMillis)
            .set(Columns.Order.CARRIER, delivered ? chance.uniform(1, 10) : 0)
            .set(Columns.Order.LINES, lines)
            .set(Columns.Order.ALL_LOCAL, 1);
    sink.row(Table.ORDERS, key, row.bytes());
    if (!delivered) {
      sink.row(Table.NEW_ORDER, key, Row.create(Table.NEW_ORDER).bytes());
    }
    for (int line = 1; line <= lines; line++) {
      Row ofLine =
          Row.create(Table.ORDER_LINE, chance.text(24, 24))
              .set(Columns.OrderLine.ITEM, chance.uniform(1, scale.items()))
              .set(Columns.OrderLine.SUPPLY_WAREHOUSE, warehouse)
              .set(Columns.OrderLine.DELIVERY_DATE, delivered ? nowMillis : 0)
              .set(Columns.OrderLine.QUANTITY, 5)
              .set(Columns.OrderLine.AMOUNT, delivered ? 0 : chance.uniform(1, 9_999_99));
      byte[] keyOfLine = TableKeys.orderLine(warehouse, district, order, line);
      sink.row(Table.ORDER_LINE, keyOfLine, ofLine.bytes());
    }
  }
}
