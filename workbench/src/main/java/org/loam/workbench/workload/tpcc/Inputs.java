package org.loam.workbench.workload.tpcc;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What transactions are asked (2.4.1, 2.5.1, 2.6.1, 2.7.1, 2.8.1). Each chooses any warehouse and
 * district, so that all data are used whatever the number of clients. For one thread.
 */
public final class Inputs {
  private final Scale scale;
  private final Chance chance;

  /**
   * @param chance with the constants of the run
   */
  public Inputs(Scale scale, Chance chance) {
    this.scale = scale;
    this.chance = chance;
  }

  /**
   * A customer of a district, by number or by name.
   *
   * @param number from 1; 0 if the customer is known by name
   * @param lastName null if the customer is known by number
   */
  public record CustomerChoice(int number, @Nullable String lastName) {}

  /**
   * An order.
   *
   * @param lines of it; of one order in a hundred the last one has an item that does not exist, so
   *     that the order is rolled back
   */
  public record NewOrder(int warehouse, int district, int customer, List<Line> lines) {}

  /**
   * A line of an order.
   *
   * @param supplyWarehouse where the stock is, seldom another one than that of the order
   */
  public record Line(int item, int supplyWarehouse, int quantity) {}

  /**
   * A payment in a district.
   *
   * @param customerWarehouse of the customer; seldom another one than that of the payment
   * @param customerDistrict of the customer
   * @param amount in cents
   */
  public record Payment(
      int warehouse,
      int district,
      int customerWarehouse,
      int customerDistrict,
      CustomerChoice customer,
      int amount) {}

  /** The last order of a customer. */
  public record OrderStatus(int warehouse, int district, CustomerChoice customer) {}

  /** The oldest new order of each district. */
  public record Delivery(int warehouse, int carrier) {}

  /**
   * Items of the last orders of a district.
   *
   * @param threshold below which stock is low
   */
  public record StockLevel(int warehouse, int district, int threshold) {}

  public NewOrder newOrder() {
    int warehouse = warehouse();
    int district = district();
    int customer = chance.customer();
    int count = chance.uniform(5, 15);
    boolean rolledBack = chance.percent(1);
    List<Line> lines = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      int item = rolledBack && i == count ? scale.items() + 1 : chance.item();
      int supply = chance.percent(1) ? another(warehouse) : warehouse;
      lines.add(new Line(item, supply, chance.uniform(1, 10)));
    }
    return new NewOrder(warehouse, district, customer, lines);
  }

  public Payment payment() {
    int warehouse = warehouse();
    int district = district();
    boolean remote = chance.percent(15);
    return new Payment(
        warehouse,
        district,
        remote ? another(warehouse) : warehouse,
        remote ? district() : district,
        anyCustomer(),
        chance.uniform(1_00, 5_000_00));
  }

  public OrderStatus orderStatus() {
    return new OrderStatus(warehouse(), district(), anyCustomer());
  }

  public Delivery delivery() {
    return new Delivery(warehouse(), chance.uniform(1, 10));
  }

  public StockLevel stockLevel() {
    return new StockLevel(warehouse(), district(), chance.uniform(10, 20));
  }

  private CustomerChoice anyCustomer() {
    return chance.percent(60)
        ? new CustomerChoice(0, chance.lastName())
        : new CustomerChoice(chance.customer(), null);
  }

  private int warehouse() {
    return chance.uniform(1, scale.warehouses());
  }

  private int district() {
    return chance.uniform(1, Scale.DISTRICTS);
  }

  /** Another warehouse, if there is one. */
  private int another(int warehouse) {
    if (scale.warehouses() == 1) {
      return warehouse;
    }
    int other = chance.uniform(1, scale.warehouses() - 1);
    return other < warehouse ? other : other + 1;
  }
}
