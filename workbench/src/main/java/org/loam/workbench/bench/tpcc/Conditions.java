package org.loam.workbench.bench.tpcc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.peer.TableStore;
import org.loam.workbench.workload.tpcc.InitialRows;
import org.loam.workbench.workload.tpcc.Scale;

/**
 * What must hold whenever no transaction runs: the consistency conditions 1 to 4 (3.3.2.1 to
 * 3.3.2.4), and that exactly those writes are there that terminals were told of.
 */
public final class Conditions {
  private final Scale scale;
  private final Aggregates found;
  private final List<String> violations = new ArrayList<>();

  private Conditions(Scale scale, Aggregates found) {
    this.scale = scale;
    this.found = found;
  }

  /** Reads the tables, in which no transaction runs. */
  public static Conditions of(TableStore store, Scale scale) {
    try (TableStore.Session session = store.session()) {
      return new Conditions(scale, Aggregates.of(session, scale));
    }
  }

  /**
   * Checks everything that must hold when all terminals have ended, and the indexes.
   *
   * @throws WrongAnswerException if something does not
   */
  public static void require(TableStore store, Scale scale, Totals totals) {
    Conditions conditions = of(store, scale);
    List<String> all = new ArrayList<>(conditions.violations());
    all.addAll(conditions.violations(totals));
    if (!all.isEmpty()) {
      throw new WrongAnswerException(all.get(0) + " (" + all.size() + " violations in all)");
    }
    store.verify();
  }

  /** What is wrong, one line each; empty if the conditions 1 to 4 hold. */
  public List<String> violations() {
    violations.clear();
    for (int warehouse = 0; warehouse < scale.warehouses(); warehouse++) {
      checkWarehouse(warehouse);
    }
    for (int district = 0; district < found.nextOrder.length; district++) {
      checkDistrict(district);
    }
    return List.copyOf(violations);
  }

  private void checkWarehouse(int warehouse) {
    int first = warehouse * Scale.DISTRICTS;
    long districts = Arrays.stream(found.districtYtd, first, first + Scale.DISTRICTS).sum();
    require(
        found.warehouseYtd[warehouse] == districts,
        "condition 1: warehouse %d has W_YTD %d, its districts have %d",
        warehouse + 1,
        found.warehouseYtd[warehouse],
        districts);
  }

  private void checkDistrict(int district) {
    long last = found.nextOrder[district] - 1;
    String name =
        "district " + (district % Scale.DISTRICTS + 1) + " of " + (district / Scale.DISTRICTS + 1);
    require(
        found.lastOrder[district] == last,
        "condition 2: %s has D_NEXT_O_ID %d, its last order is %d",
        name,
        last + 1,
        found.lastOrder[district]);
    long waiting = found.newOrders[district];
    // Of none there is no last one, and no gap.
    if (waiting > 0) {
      require(
          found.lastNewOrder[district] == last,
          "condition 2: %s has D_NEXT_O_ID %d, its last new order is %d",
          name,
          last + 1,
          found.lastNewOrder[district]);
      require(
          found.lastNewOrder[district] - found.firstNewOrder[district] + 1 == waiting,
          "condition 3: %s has %d new orders from %d to %d",
          name,
          waiting,
          found.firstNewOrder[district],
          found.lastNewOrder[district]);
    }
    require(
        found.linesOfOrders[district] == found.lines[district],
        "condition 4: %s has %d order lines, its orders say %d",
        name,
        found.lines[district],
        found.linesOfOrders[district]);
  }

  /**
   * What differs from what terminals were told; empty if nothing does.
   *
   * @param totals of all transactions since the load
   */
  public List<String> violations(Totals totals) {
    violations.clear();
    require(
        orders() == totals.orders(),
        "%d new orders are there, %d were acknowledged",
        orders(),
        totals.orders());
    require(
        paidCents() == totals.paidCents(),
        "payments of %d cents are there, %d were acknowledged",
        paidCents(),
        totals.paidCents());
    require(
        deliveries() == totals.deliveries(),
        "%d orders were delivered, %d deliveries were acknowledged",
        deliveries(),
        totals.deliveries());
    return List.copyOf(violations);
  }

  /** New orders since the load. */
  public long orders() {
    return Arrays.stream(found.nextOrder).sum() - found.nextOrder.length * (scale.customers() + 1L);
  }

  /** Payments since the load. */
  public long paidCents() {
    return Arrays.stream(found.warehouseYtd).sum()
        - found.warehouseYtd.length * InitialRows.YTD_OF_WAREHOUSE;
  }

  /** Deliveries since the load. */
  public long deliveries() {
    long districts = found.newOrders.length;
    return districts * (scale.customers() - scale.lastDelivered())
        + orders()
        - Arrays.stream(found.newOrders).sum();
  }

  private void require(boolean holds, String format, Object... values) {
    if (!holds) {
      violations.add(String.format(Locale.ROOT, format, values));
    }
  }
}
