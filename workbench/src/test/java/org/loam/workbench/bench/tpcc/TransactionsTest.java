package org.loam.workbench.bench.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.loam.workbench.bench.tpcc.Model.Customer;
import org.loam.workbench.bench.tpcc.Model.District;
import org.loam.workbench.bench.tpcc.Model.Line;
import org.loam.workbench.bench.tpcc.Model.Order;
import org.loam.workbench.bench.tpcc.Model.Stock;
import org.loam.workbench.bench.tpcc.Model.Warehouse;
import org.loam.workbench.peer.LoamTables;
import org.loam.workbench.peer.StoreSettings;
import org.loam.workbench.peer.StoreSettings.Durability;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.Chance;
import org.loam.workbench.workload.tpcc.Chance.Constants;
import org.loam.workbench.workload.tpcc.Columns;
import org.loam.workbench.workload.tpcc.InitialRows;
import org.loam.workbench.workload.tpcc.Inputs;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Row;
import org.loam.workbench.workload.tpcc.Scale;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableKeys;
import org.loam.workbench.workload.tpcc.TransactionKind;

/** Each transaction on Loam's datasets, beside a model: the same results, and the same tables. */
class TransactionsTest {
  private static final Scale SCALE = Scale.of(2, 0.01);
  private static final long SEED = 9;

  @TempDir Path directory;
  private final Model model = new Model();
  private final Inputs inputs =
      new Inputs(SCALE, new Chance(new SplittableRandom(SEED), SCALE, Constants.ofRun(SEED)));
  private LoamTables store;
  private TableStore.Session session;
  private Transactions transactions;

  static LoamTables open(Path directory) {
    return new LoamTables(new StoreSettings(directory, 64L << 20, Durability.PROCESS, 1_000));
  }

  @BeforeEach
  void load() throws InterruptedException {
    store = open(directory.resolve("database"));
    Load.into(store, SCALE, SEED, 2);
    InitialRows rows = new InitialRows(SCALE, SEED, 1, model);
    rows.items();
    for (int warehouse = 1; warehouse <= SCALE.warehouses(); warehouse++) {
      rows.warehouse(warehouse);
    }
    session = store.session();
    transactions = new Transactions(session, new RecordLocks(), () -> 77);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void newOrder() {
    Inputs.NewOrder input = inputs.newOrder();
    assertThat(transactions.newOrder(input)).isEqualTo(model.newOrder(input));
  }

  private void payment() {
    Inputs.Payment input = inputs.payment();
    assertThat(transactions.payment(input)).isEqualTo(model.payment(input));
  }

  private void orderStatus() {
    Inputs.OrderStatus input = inputs.orderStatus();
    assertThat(transactions.orderStatus(input)).isEqualTo(model.orderStatus(input));
  }

  private Results.Delivery delivery() {
    Inputs.Delivery input = inputs.delivery();
    Results.Delivery result = transactions.delivery(input);
    assertThat(result).isEqualTo(model.delivery(input));
    return result;
  }

  private Results.StockLevel stockLevel() {
    Inputs.StockLevel input = inputs.stockLevel();
    Results.StockLevel result = transactions.stockLevel(input);
    assertThat(result).isEqualTo(model.stockLevel(input));
    return result;
  }

  private static void times(int times, Runnable run) {
    for (int i = 0; i < times; i++) {
      run.run();
    }
  }

  @Test
  void newOrders() {
    times(300, this::newOrder);
    assertTablesAreTheModels();
  }

  @Test
  void ordersWithTwoLinesOfOneItemTakeTwiceFromItsStock() {
    Inputs.Line line = new Inputs.Line(5, 1, 7);
    Inputs.NewOrder input = new Inputs.NewOrder(1, 1, 3, List.of(line, line, line));
    times(5, () -> assertThat(transactions.newOrder(input)).isEqualTo(model.newOrder(input)));
    assertTablesAreTheModels();
  }

  @Test
  void aNewOrderOfAnItemThatDoesNotExistLeavesNothing() {
    List<Inputs.Line> lines =
        List.of(new Inputs.Line(5, 1, 7), new Inputs.Line(SCALE.items() + 1, 1, 1));
    Results.NewOrder result = transactions.newOrder(new Inputs.NewOrder(1, 1, 3, lines));
    assertThat(result.isRolledBack()).isTrue();
    assertTablesAreTheModels();
  }

  @Test
  void payments() {
    times(400, this::payment);
    assertTablesAreTheModels();
  }

  @Test
  void orderStatuses() {
    times(100, this::orderStatus);
    times(100, this::newOrder);
    times(100, this::orderStatus);
  }

  @Test
  void deliveriesUntilNothingWaits() {
    times(10, this::newOrder);
    Set<Integer> delivered = new HashSet<>();
    times(60, () -> delivered.addAll(delivery().orders()));
    assertThat(delivered).contains(0, SCALE.lastDelivered() + 1);
    assertTablesAreTheModels();
    times(10, this::newOrder);
    times(5, this::delivery);
    assertTablesAreTheModels();
  }

  @Test
  void stockLevels() {
    times(50, this::newOrder);
    List<Integer> low = new ArrayList<>();
    times(100, () -> low.add(stockLevel().low()));
    assertThat(low).anyMatch(count -> count > 5);
  }

  @Test
  void allOfThemTogether() {
    SplittableRandom random = new SplittableRandom(4);
    Map<TransactionKind, Runnable> run = new EnumMap<>(TransactionKind.class);
    run.put(TransactionKind.NEW_ORDER, this::newOrder);
    run.put(TransactionKind.PAYMENT, this::payment);
    run.put(TransactionKind.ORDER_STATUS, this::orderStatus);
    run.put(TransactionKind.DELIVERY, this::delivery);
    run.put(TransactionKind.STOCK_LEVEL, this::stockLevel);
    times(700, () -> run.get(Mix.STANDARD.next(random)).run());
    store.flush();
    times(300, () -> run.get(Mix.READ_MOSTLY.next(random)).run());
    assertTablesAreTheModels();
    assertThat(Conditions.of(store, SCALE).violations()).isEmpty();
    store.verify();
  }

  // ---- The tables.

  private interface Rows {
    void row(byte[] key, Row row);
  }

  private int each(Table table, Rows rows) {
    int[] count = new int[1];
    session.scan(
        table,
        new byte[0],
        null,
        Integer.MAX_VALUE,
        (key, record) -> {
          rows.row(key, Row.of(table, record));
          count[0]++;
        });
    return count[0];
  }

  private void assertTablesAreTheModels() {
    int orders = 0;
    int waiting = 0;
    int lines = 0;
    for (Warehouse warehouse : model.warehouses.values()) {
      for (int d = 1; d <= Scale.DISTRICTS; d++) {
        for (Order order : warehouse.districts[d].orders.values()) {
          orders++;
          waiting += order.waits ? 1 : 0;
          lines += order.lines.size();
        }
      }
    }
    each(
        Table.WAREHOUSE,
        (key, row) -> assertThat(row.get(Columns.Warehouse.YTD)).isEqualTo(warehouse(key).ytd));
    each(Table.DISTRICT, (key, row) -> assertDistrict(district(key), row));
    each(Table.CUSTOMER, (key, row) -> assertCustomer(customer(key), row));
    each(Table.STOCK, (key, row) -> assertStock(stock(key), row));
    assertThat(each(Table.ORDERS, (key, row) -> assertOrder(order(key), row))).isEqualTo(orders);
    assertThat(each(Table.NEW_ORDER, (key, row) -> assertThat(order(key).waits).isTrue()))
        .isEqualTo(waiting);
    assertThat(each(Table.ORDER_LINE, (key, row) -> assertLine(line(key), row))).isEqualTo(lines);
    assertThat(each(Table.HISTORY, (key, row) -> {})).isEqualTo(model.histories);
  }

  private Warehouse warehouse(byte[] key) {
    return model.warehouses.get(TableKeys.warehouseOf(key));
  }

  private District district(byte[] key) {
    return warehouse(key).districts[TableKeys.districtOf(key)];
  }

  private Customer customer(byte[] key) {
    return district(key).customers.get(TableKeys.orderOf(key));
  }

  private Stock stock(byte[] key) {
    return warehouse(key).stocks.get(java.nio.ByteBuffer.wrap(key).getInt(4));
  }

  private Order order(byte[] key) {
    return district(key).orders.get(TableKeys.orderOf(key));
  }

  private Line line(byte[] key) {
    return order(key).lines.get(TableKeys.lineOf(key) - 1);
  }

  private static void assertDistrict(District expected, Row row) {
    assertThat(row.get(Columns.District.YTD)).isEqualTo(expected.ytd);
    assertThat(row.get(Columns.District.NEXT_ORDER)).isEqualTo(expected.next);
  }

  private static void assertCustomer(Customer expected, Row row) {
    assertThat(row.get(Columns.Customer.BALANCE)).isEqualTo(expected.balance);
    assertThat(row.get(Columns.Customer.YTD_PAYMENT)).isEqualTo(expected.paid);
    assertThat(row.get(Columns.Customer.PAYMENTS)).isEqualTo(expected.payments);
    assertThat(row.get(Columns.Customer.DELIVERIES)).isEqualTo(expected.deliveries);
    assertThat(row.text(Columns.Customer.DATA)).isEqualTo(expected.data);
  }

  private static void assertStock(Stock expected, Row row) {
    assertThat(row.get(Columns.Stock.QUANTITY)).isEqualTo(expected.quantity);
    assertThat(row.get(Columns.Stock.YTD)).isEqualTo(expected.ytd);
    assertThat(row.get(Columns.Stock.ORDERS)).isEqualTo(expected.orders);
    assertThat(row.get(Columns.Stock.REMOTE_ORDERS)).isEqualTo(expected.remoteOrders);
  }

  private static void assertOrder(Order expected, Row row) {
    assertThat(row.get(Columns.Order.CUSTOMER)).isEqualTo(expected.customer);
    assertThat(row.get(Columns.Order.CARRIER)).isEqualTo(expected.carrier);
    assertThat(row.get(Columns.Order.LINES)).isEqualTo(expected.lines.size());
  }

  private static void assertLine(Line expected, Row row) {
    assertThat(row.get(Columns.OrderLine.ITEM)).isEqualTo(expected.item);
    assertThat(row.get(Columns.OrderLine.SUPPLY_WAREHOUSE)).isEqualTo(expected.supply);
    assertThat(row.get(Columns.OrderLine.QUANTITY)).isEqualTo(expected.quantity);
    assertThat(row.get(Columns.OrderLine.AMOUNT)).isEqualTo(expected.amount);
    assertThat(row.get(Columns.OrderLine.DELIVERY_DATE) != 0).isEqualTo(expected.delivered);
    assertThat(row.text(0)).isEqualTo(expected.dist);
  }
}
