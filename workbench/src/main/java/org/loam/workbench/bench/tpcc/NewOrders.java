package org.loam.workbench.bench.tpcc;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.loam.workbench.bench.tpcc.Access.Entry;
import org.loam.workbench.peer.TableBatch;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.Columns.Customer;
import org.loam.workbench.workload.tpcc.Columns.District;
import org.loam.workbench.workload.tpcc.Columns.Item;
import org.loam.workbench.workload.tpcc.Columns.Order;
import org.loam.workbench.workload.tpcc.Columns.OrderLine;
import org.loam.workbench.workload.tpcc.Columns.Stock;
import org.loam.workbench.workload.tpcc.Columns.Warehouse;
import org.loam.workbench.workload.tpcc.Inputs;
import org.loam.workbench.workload.tpcc.Row;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableKeys;

/** The transaction that enters orders (clause 2.4.2). For one terminal, and so for one thread. */
final class NewOrders {
  private static final int LOW_QUANTITY = 10;
  private static final int REFILL = 91;
  private static final long ONE = 10_000;
  private static final String BRAND = "ORIGINAL";

  private final TableStore.Session session;
  private final Access access;
  private final RecordLocks locks;
  private final LongSupplier clock;

  NewOrders(TableStore.Session session, Access access, RecordLocks locks, LongSupplier clock) {
    this.session = session;
    this.access = access;
    this.locks = locks;
    this.clock = clock;
  }

  /** Enters an order; rolls it back if an item does not exist. */
  Results.NewOrder enter(Inputs.NewOrder input) {
    long[] names = new long[1 + input.lines().size()];
    names[0] = RecordLocks.district(input.warehouse(), input.district());
    for (int i = 1; i < names.length; i++) {
      Inputs.Line line = input.lines().get(i - 1);
      names[i] = RecordLocks.stock(line.supplyWarehouse(), line.item());
    }
    try (RecordLocks.Held held = locks.lock(names)) {
      return write(input);
    }
  }

  private Results.NewOrder write(Inputs.NewOrder input) {
    int warehouse = input.warehouse();
    int district = input.district();
    byte[] districtKey = TableKeys.district(warehouse, district);
    Row warehouseRow = access.require(Table.WAREHOUSE, TableKeys.warehouse(warehouse));
    Row districtRow = access.require(Table.DISTRICT, districtKey);
    Row customer =
        access.require(Table.CUSTOMER, TableKeys.customer(warehouse, district, input.customer()));
    List<byte[]> itemKeys =
        input.lines().stream().map(line -> TableKeys.item(line.item())).toList();
    List<byte[]> items = session.getAll(Table.ITEM, itemKeys);
    if (items.contains(null)) {
      return new Results.NewOrder(0, 0, 0);
    }
    int order = (int) districtRow.get(District.NEXT_ORDER);
    TableBatch batch = new TableBatch();
    batch.update(Table.DISTRICT, districtKey, districtRow.add(District.NEXT_ORDER, 1).bytes());
    byte[] key = TableKeys.order(warehouse, district, order);
    boolean allLocal = input.lines().stream().allMatch(l -> l.supplyWarehouse() == warehouse);
    batch.insert(
        Table.ORDERS,
        key,
        Row.create(Table.ORDERS)
            .set(Order.CUSTOMER, input.customer())
            .set(Order.ENTRY_DATE, clock.getAsLong())
            .set(Order.LINES, input.lines().size())
            .set(Order.ALL_LOCAL, allLocal ? 1 : 0)
            .bytes());
    batch.insert(Table.NEW_ORDER, key, Row.create(Table.NEW_ORDER).bytes());
    Lines lines = new Lines(input, order, items, batch);
    lines.enter();
    session.write(batch);
    long tax = warehouseRow.get(Warehouse.TAX) + districtRow.get(District.TAX);
    long total = lines.amount * (ONE - customer.get(Customer.DISCOUNT)) * (ONE + tax) / ONE / ONE;
    return new Results.NewOrder(order, total, lines.brands);
  }

  /** The lines of a new order. Two of them may take from the same stock. */
  private final class Lines {
    private final Inputs.NewOrder input;
    private final int order;
    private final List<byte[]> items;
    private final TableBatch batch;
    private long amount;
    private int brands;

    Lines(Inputs.NewOrder input, int order, List<byte[]> items, TableBatch batch) {
      this.input = input;
      this.order = order;
      this.items = items;
      this.batch = batch;
    }

    void enter() {
      Map<Long, Entry> stocks = stocks();
      for (int i = 0; i < items.size(); i++) {
        Inputs.Line line = input.lines().get(i);
        Entry stock = stocks.get(RecordLocks.stock(line.supplyWarehouse(), line.item()));
        if (stock == null) {
          throw new AssertionError("the stock of each line was read");
        }
        enter(i + 1, line, Row.of(Table.ITEM, items.get(i)), stock.row());
      }
      stocks.values().forEach(s -> batch.update(Table.STOCK, s.key(), s.row().bytes()));
    }

    /** By the names of their locks. */
    private Map<Long, Entry> stocks() {
      Map<Long, byte[]> keys = new LinkedHashMap<>();
      for (Inputs.Line line : input.lines()) {
        keys.put(
            RecordLocks.stock(line.supplyWarehouse(), line.item()),
            TableKeys.stock(line.supplyWarehouse(), line.item()));
      }
      List<Row> rows = access.requireAll(Table.STOCK, List.copyOf(keys.values()));
      Map<Long, Entry> stocks = new LinkedHashMap<>();
      keys.forEach((name, key) -> stocks.put(name, new Entry(key, rows.get(stocks.size()))));
      return stocks;
    }

    private void enter(int number, Inputs.Line line, Row item, Row stock) {
      int warehouse = input.warehouse();
      int quantity = line.quantity();
      long left = stock.get(Stock.QUANTITY) - quantity;
      stock
          .set(Stock.QUANTITY, left >= LOW_QUANTITY ? left : left + REFILL)
          .add(Stock.YTD, quantity)
          .add(Stock.ORDERS, 1)
          .add(Stock.REMOTE_ORDERS, line.supplyWarehouse() == warehouse ? 0 : 1);
      long cents = quantity * item.get(Item.PRICE);
      amount += cents;
      if (item.text(Item.DATA).contains(BRAND) && stock.text(Stock.DATA).contains(BRAND)) {
        brands++;
      }
      batch.insert(
          Table.ORDER_LINE,
          TableKeys.orderLine(warehouse, input.district(), order, number),
          Row.create(Table.ORDER_LINE, stock.text(input.district() - 1))
              .set(OrderLine.ITEM, line.item())
              .set(OrderLine.SUPPLY_WAREHOUSE, line.supplyWarehouse())
              .set(OrderLine.QUANTITY, quantity)
              .set(OrderLine.AMOUNT, cents)
              .bytes());
    }
  }
}
