package org.loam.workbench.bench.tpcc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.loam.workbench.workload.tpcc.Columns;
import org.loam.workbench.workload.tpcc.InitialRows;
import org.loam.workbench.workload.tpcc.Inputs;
import org.loam.workbench.workload.tpcc.Row;
import org.loam.workbench.workload.tpcc.Scale;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableKeys;

/**
 * The transactions on plain objects, written from the standard and not from the code under test.
 */
final class Model implements InitialRows.Sink {
  static final class Customer {
    String first;
    String last;
    boolean badCredit;
    String data;
    long balance;
    long paid;
    long payments;
    long deliveries;
    long discount;
  }

  static final class Stock {
    long quantity;
    long ytd;
    long orders;
    long remoteOrders;
    boolean original;
    List<String> dist = new ArrayList<>();
  }

  static final class Line {
    int item;
    int supply;
    long quantity;
    long amount;
    boolean delivered;
    String dist;
  }

  static final class Order {
    int customer;
    long carrier;
    boolean waits;
    List<Line> lines = new ArrayList<>();
  }

  static final class District {
    String name;
    long tax;
    long ytd;
    int next;
    Map<Integer, Customer> customers = new TreeMap<>();
    TreeMap<Integer, Order> orders = new TreeMap<>();
  }

  static final class Warehouse {
    String name;
    long tax;
    long ytd;
    District[] districts = new District[Scale.DISTRICTS + 1];
    Map<Integer, Stock> stocks = new HashMap<>();
  }

  record Item(long price, boolean original) {}

  final Map<Integer, Warehouse> warehouses = new HashMap<>();
  final Map<Integer, Item> items = new HashMap<>();
  int histories;

  private Warehouse warehouse(byte[] key) {
    return warehouses.computeIfAbsent(
        TableKeys.warehouseOf(key),
        w -> {
          Warehouse made = new Warehouse();
          for (int d = 1; d <= Scale.DISTRICTS; d++) {
            made.districts[d] = new District();
          }
          return made;
        });
  }

  private District district(byte[] key) {
    return warehouse(key).districts[TableKeys.districtOf(key)];
  }

  @Override
  public void row(Table table, byte[] key, byte[] bytes) {
    Row row = Row.of(table, bytes);
    switch (table) {
      case ITEM ->
          items.put(
              TableKeys.warehouseOf(key),
              new Item(row.get(Columns.Item.PRICE), row.text(1).contains("ORIGINAL")));
      case WAREHOUSE -> {
        warehouse(key).name = row.text(0);
        warehouse(key).tax = row.get(Columns.Warehouse.TAX);
        warehouse(key).ytd = row.get(Columns.Warehouse.YTD);
      }
      case DISTRICT -> {
        district(key).name = row.text(0);
        district(key).tax = row.get(Columns.District.TAX);
        district(key).ytd = row.get(Columns.District.YTD);
        district(key).next = (int) row.get(Columns.District.NEXT_ORDER);
      }
      case STOCK -> {
        Stock stock = new Stock();
        stock.quantity = row.get(Columns.Stock.QUANTITY);
        stock.original = row.text(10).contains("ORIGINAL");
        for (int d = 0; d < Scale.DISTRICTS; d++) {
          stock.dist.add(row.text(d));
        }
        warehouse(key).stocks.put(java.nio.ByteBuffer.wrap(key).getInt(4), stock);
      }
      case CUSTOMER -> {
        Customer customer = new Customer();
        customer.first = row.text(Columns.Customer.FIRST);
        customer.last = row.text(Columns.Customer.LAST);
        customer.badCredit = row.text(Columns.Customer.CREDIT).equals("BC");
        customer.data = row.text(Columns.Customer.DATA);
        customer.balance = row.get(Columns.Customer.BALANCE);
        customer.paid = row.get(Columns.Customer.YTD_PAYMENT);
        customer.payments = row.get(Columns.Customer.PAYMENTS);
        customer.discount = row.get(Columns.Customer.DISCOUNT);
        district(key).customers.put(TableKeys.orderOf(key), customer);
      }
      case HISTORY -> histories++;
      case ORDERS -> {
        Order order = order(key);
        order.customer = (int) row.get(Columns.Order.CUSTOMER);
        order.carrier = row.get(Columns.Order.CARRIER);
      }
      case NEW_ORDER -> order(key).waits = true;
      case ORDER_LINE -> {
        Line line = new Line();
        line.item = (int) row.get(Columns.OrderLine.ITEM);
        line.supply = (int) row.get(Columns.OrderLine.SUPPLY_WAREHOUSE);
        line.quantity = row.get(Columns.OrderLine.QUANTITY);
        line.amount = row.get(Columns.OrderLine.AMOUNT);
        line.delivered = row.get(Columns.OrderLine.DELIVERY_DATE) != 0;
        line.dist = row.text(0);
        order(key).lines.add(line);
      }
    }
  }

  private Order order(byte[] key) {
    return district(key).orders.computeIfAbsent(TableKeys.orderOf(key), o -> new Order());
  }

  private District district(int warehouse, int district) {
    return warehouses.get(warehouse).districts[district];
  }

  Results.NewOrder newOrder(Inputs.NewOrder in) {
    if (in.lines().stream().anyMatch(line -> !items.containsKey(line.item()))) {
      return new Results.NewOrder(0, 0, 0);
    }
    District district = district(in.warehouse(), in.district());
    int number = district.next++;
    Order order = new Order();
    order.customer = in.customer();
    order.waits = true;
    district.orders.put(number, order);
    long total = 0;
    int brands = 0;
    for (Inputs.Line asked : in.lines()) {
      Item item = items.get(asked.item());
      Stock stock = warehouses.get(asked.supplyWarehouse()).stocks.get(asked.item());
      if (stock.quantity >= asked.quantity() + 10) {
        stock.quantity -= asked.quantity();
      } else {
        stock.quantity = stock.quantity - asked.quantity() + 91;
      }
      stock.ytd += asked.quantity();
      stock.orders++;
      if (asked.supplyWarehouse() != in.warehouse()) {
        stock.remoteOrders++;
      }
      Line line = new Line();
      line.item = asked.item();
      line.supply = asked.supplyWarehouse();
      line.quantity = asked.quantity();
      line.amount = asked.quantity() * item.price();
      line.dist = stock.dist.get(in.district() - 1);
      order.lines.add(line);
      total += line.amount;
      brands += item.original() && stock.original ? 1 : 0;
    }
    long tax = warehouses.get(in.warehouse()).tax + district.tax;
    long discount = district.customers.get(in.customer()).discount;
    return new Results.NewOrder(
        number, total * (10_000 - discount) * (10_000 + tax) / 100_000_000, brands);
  }

  private static int find(District district, Inputs.CustomerChoice choice) {
    if (choice.lastName() == null) {
      return choice.number();
    }
    List<Map.Entry<Integer, Customer>> same =
        district.customers.entrySet().stream()
            .filter(entry -> entry.getValue().last.equals(choice.lastName()))
            .sorted(Comparator.comparing(entry -> entry.getValue().first))
            .toList();
    // The n/2th, rounded up, of n, counted from 1.
    return same.get((int) Math.ceil(same.size() / 2.0) - 1).getKey();
  }

  Results.Payment payment(Inputs.Payment in) {
    District district = district(in.warehouse(), in.district());
    District home = district(in.customerWarehouse(), in.customerDistrict());
    warehouses.get(in.warehouse()).ytd += in.amount();
    district.ytd += in.amount();
    int number = find(home, in.customer());
    Customer customer = home.customers.get(number);
    customer.balance -= in.amount();
    customer.paid += in.amount();
    customer.payments++;
    if (customer.badCredit) {
      String data =
          String.format(
              "%d %d %d %d %d %d|%s",
              number,
              in.customerDistrict(),
              in.customerWarehouse(),
              in.district(),
              in.warehouse(),
              in.amount(),
              customer.data);
      customer.data = data.length() > 500 ? data.substring(0, 500) : data;
    }
    histories++;
    return new Results.Payment(number, customer.balance);
  }

  Results.OrderStatus orderStatus(Inputs.OrderStatus in) {
    District district = district(in.warehouse(), in.district());
    int number = find(district, in.customer());
    for (var entry : district.orders.descendingMap().entrySet()) {
      if (entry.getValue().customer == number) {
        return new Results.OrderStatus(
            number,
            district.customers.get(number).balance,
            entry.getKey(),
            entry.getValue().lines.stream().mapToLong(line -> line.amount).sum());
      }
    }
    throw new AssertionError("each customer has an order");
  }

  Results.Delivery delivery(Inputs.Delivery in) {
    List<Integer> delivered = new ArrayList<>();
    for (int d = 1; d <= Scale.DISTRICTS; d++) {
      District district = district(in.warehouse(), d);
      int number = 0;
      for (var entry : district.orders.entrySet()) {
        if (entry.getValue().waits) {
          number = entry.getKey();
          break;
        }
      }
      delivered.add(number);
      if (number != 0) {
        Order order = district.orders.get(number);
        order.waits = false;
        order.carrier = in.carrier();
        Customer customer = district.customers.get(order.customer);
        customer.deliveries++;
        for (Line line : order.lines) {
          line.delivered = true;
          customer.balance += line.amount;
        }
      }
    }
    return new Results.Delivery(delivered);
  }

  Results.StockLevel stockLevel(Inputs.StockLevel in) {
    District district = district(in.warehouse(), in.district());
    Set<Integer> low = new HashSet<>();
    for (int number = district.next - 20; number < district.next; number++) {
      if (district.orders.containsKey(number)) {
        for (Line line : district.orders.get(number).lines) {
          Stock stock = warehouses.get(in.warehouse()).stocks.get(line.item);
          if (stock.quantity < in.threshold()) {
            low.add(line.item);
          }
        }
      }
    }
    return new Results.StockLevel(low.size());
  }
}
