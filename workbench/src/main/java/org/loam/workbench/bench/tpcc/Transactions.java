package org.loam.workbench.bench.tpcc;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.loam.workbench.bench.tpcc.Access.Entry;
import org.loam.workbench.peer.TableBatch;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.Columns.Customer;
import org.loam.workbench.workload.tpcc.Columns.District;
import org.loam.workbench.workload.tpcc.Columns.History;
import org.loam.workbench.workload.tpcc.Columns.Order;
import org.loam.workbench.workload.tpcc.Columns.OrderLine;
import org.loam.workbench.workload.tpcc.Columns.Stock;
import org.loam.workbench.workload.tpcc.Columns.Warehouse;
import org.loam.workbench.workload.tpcc.Inputs;
import org.loam.workbench.workload.tpcc.Row;
import org.loam.workbench.workload.tpcc.Scale;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableKeys;

/**
 * The five transactions (clause 2). Each writes one batch, a delivery one for each district. For
 * one terminal, and so for one thread.
 */
public final class Transactions {
  private static final int MOST_DATA = 500;
  private static final int LAST_ORDERS = 20;
  private static final String BAD_CREDIT = "BC";

  private final TableStore.Session session;
  private final Access access;
  private final RecordLocks locks;
  private final LongSupplier clock;
  private final NewOrders newOrders;

  /**
   * @param locks of all terminals
   * @param clock milliseconds since 1970
   */
  public Transactions(TableStore.Session session, RecordLocks locks, LongSupplier clock) {
    this.session = session;
    this.access = new Access(session);
    this.locks = locks;
    this.clock = clock;
    this.newOrders = new NewOrders(session, access, locks, clock);
  }

  // ---- New order (2.4.2).

  /** Enters an order; rolls it back if an item does not exist. */
  public Results.NewOrder newOrder(Inputs.NewOrder input) {
    return newOrders.enter(input);
  }

  // ---- Payment (2.5.2).

  /** Takes a payment of a customer. */
  public Results.Payment payment(Inputs.Payment input) {
    try (RecordLocks.Held held =
        locks.lock(
            RecordLocks.warehouse(input.warehouse()),
            RecordLocks.district(input.warehouse(), input.district()),
            RecordLocks.district(input.customerWarehouse(), input.customerDistrict()))) {
      return take(input);
    }
  }

  private Results.Payment take(Inputs.Payment input) {
    byte[] warehouseKey = TableKeys.warehouse(input.warehouse());
    byte[] districtKey = TableKeys.district(input.warehouse(), input.district());
    Row warehouse = access.require(Table.WAREHOUSE, warehouseKey);
    Row district = access.require(Table.DISTRICT, districtKey);
    Entry found =
        access.customer(input.customerWarehouse(), input.customerDistrict(), input.customer());
    int number = TableKeys.orderOf(found.key());
    int amount = input.amount();
    Row customer =
        found
            .row()
            .add(Customer.BALANCE, -amount)
            .add(Customer.YTD_PAYMENT, amount)
            .add(Customer.PAYMENTS, 1);
    if (customer.text(Customer.CREDIT).equals(BAD_CREDIT)) {
      customer.setText(Customer.DATA, remark(input, number, customer.text(Customer.DATA)));
    }
    TableBatch batch = new TableBatch();
    batch.update(Table.WAREHOUSE, warehouseKey, warehouse.add(Warehouse.YTD, amount).bytes());
    batch.update(Table.DISTRICT, districtKey, district.add(District.YTD, amount).bytes());
    batch.update(Table.CUSTOMER, found.key(), customer.bytes());
    batch.insert(
        Table.HISTORY,
        TableKeys.history(
            input.customerWarehouse(),
            input.customerDistrict(),
            number,
            (int) customer.get(Customer.PAYMENTS)),
        Row.create(
                Table.HISTORY,
                warehouse.text(Warehouse.NAME) + "    " + district.text(District.NAME))
            .set(History.WAREHOUSE, input.warehouse())
            .set(History.DISTRICT, input.district())
            .set(History.DATE, clock.getAsLong())
            .set(History.AMOUNT, amount)
            .bytes());
    session.write(batch);
    return new Results.Payment(number, customer.get(Customer.BALANCE));
  }

  private static String remark(Inputs.Payment input, int customer, String data) {
    String remark =
        customer
            + " "
            + input.customerDistrict()
            + " "
            + input.customerWarehouse()
            + " "
            + input.district()
            + " "
            + input.warehouse()
            + " "
            + input.amount()
            + "|"
            + data;
    return remark.substring(0, Math.min(MOST_DATA, remark.length()));
  }

  // ---- Order status (2.6.2).

  /** Looks at the last order of a customer. */
  public Results.OrderStatus orderStatus(Inputs.OrderStatus input) {
    int warehouse = input.warehouse();
    int district = input.district();
    try (RecordLocks.Held held = locks.lock(RecordLocks.district(warehouse, district))) {
      Entry customer = access.customer(warehouse, district, input.customer());
      int number = TableKeys.orderOf(customer.key());
      Entry order = access.lastOrder(warehouse, district, number);
      int orderNumber = TableKeys.orderOf(order.key());
      int lines = (int) order.row().get(Order.LINES);
      long amount =
          access.lines(warehouse, district, orderNumber, lines).stream()
              .mapToLong(line -> line.row().get(OrderLine.AMOUNT))
              .sum();
      return new Results.OrderStatus(
          number, customer.row().get(Customer.BALANCE), orderNumber, amount);
    }
  }

  // ---- Delivery (2.7.4).

  /** Delivers the oldest new order of each district, one district after the other. */
  public Results.Delivery delivery(Inputs.Delivery input) {
    List<Integer> orders = new ArrayList<>();
    for (int district = 1; district <= Scale.DISTRICTS; district++) {
      long name = RecordLocks.district(input.warehouse(), district);
      try (RecordLocks.Held held = locks.lock(name)) {
        orders.add(deliver(input, district));
      }
    }
    return new Results.Delivery(orders);
  }

  private int deliver(Inputs.Delivery input, int district) {
    int warehouse = input.warehouse();
    List<Entry> oldest =
        access.range(
            Table.NEW_ORDER,
            TableKeys.district(warehouse, district),
            TableKeys.district(warehouse, district + 1),
            1);
    if (oldest.isEmpty()) {
      return 0;
    }
    byte[] key = oldest.get(0).key();
    int number = TableKeys.orderOf(key);
    Row order = access.require(Table.ORDERS, key).set(Order.CARRIER, input.carrier());
    TableBatch batch = new TableBatch();
    batch.delete(Table.NEW_ORDER, key);
    batch.update(Table.ORDERS, key, order.bytes());
    long now = clock.getAsLong();
    long amount = 0;
    int lines = (int) order.get(Order.LINES);
    for (Entry line : access.lines(warehouse, district, number, lines)) {
      amount += line.row().get(OrderLine.AMOUNT);
      Row delivered = line.row().set(OrderLine.DELIVERY_DATE, now);
      batch.update(Table.ORDER_LINE, line.key(), delivered.bytes());
    }
    byte[] customerKey = TableKeys.customer(warehouse, district, (int) order.get(Order.CUSTOMER));
    Row customer =
        access
            .require(Table.CUSTOMER, customerKey)
            .add(Customer.BALANCE, amount)
            .add(Customer.DELIVERIES, 1);
    batch.update(Table.CUSTOMER, customerKey, customer.bytes());
    session.write(batch);
    return number;
  }

  // ---- Stock level (2.8.2).

  /** Counts the items of the last orders that are low in stock. Takes no lock (2.8.2.3). */
  public Results.StockLevel stockLevel(Inputs.StockLevel input) {
    int warehouse = input.warehouse();
    int district = input.district();
    Row row = access.require(Table.DISTRICT, TableKeys.district(warehouse, district));
    int next = (int) row.get(District.NEXT_ORDER);
    Set<Integer> items = new LinkedHashSet<>();
    access
        .range(
            Table.ORDER_LINE,
            TableKeys.order(warehouse, district, Math.max(1, next - LAST_ORDERS)),
            TableKeys.order(warehouse, district, next),
            Integer.MAX_VALUE)
        .forEach(line -> items.add((int) line.row().get(OrderLine.ITEM)));
    List<byte[]> keys = items.stream().map(item -> TableKeys.stock(warehouse, item)).toList();
    long low =
        access.requireAll(Table.STOCK, keys).stream()
            .filter(stock -> stock.get(Stock.QUANTITY) < input.threshold())
            .count();
    return new Results.StockLevel((int) low);
  }
}
