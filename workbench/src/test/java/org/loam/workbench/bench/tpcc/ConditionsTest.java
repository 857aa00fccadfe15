package org.loam.workbench.bench.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.workbench.bench.WrongAnswerException;
import org.loam.workbench.workload.tpcc.Column;
import org.loam.workbench.workload.tpcc.Columns.District;
import org.loam.workbench.workload.tpcc.Columns.Order;
import org.loam.workbench.workload.tpcc.Columns.Warehouse;
import org.loam.workbench.workload.tpcc.Mix;
import org.loam.workbench.workload.tpcc.Row;
import org.loam.workbench.workload.tpcc.Scale;
import org.loam.workbench.workload.tpcc.Table;
import org.loam.workbench.workload.tpcc.TableKeys;

/** The conditions hold after a run, and each of them fails when the tables are spoiled. */
class ConditionsTest {
  private static final Scale SCALE = Scale.of(2, 0.01);

  private final MemoryTables store = new MemoryTables();
  private final Totals totals = new Totals();

  @BeforeEach
  void run() throws InterruptedException {
    Load.into(store, SCALE, 1, 1);
    assertThat(violations()).isEmpty();
    Terminal.Shared shared = new Terminal.Shared(SCALE, Mix.STANDARD, 1, new RecordLocks(), totals);
    try (Terminal terminal = new Terminal(shared, store.session(), new SplittableRandom(2))) {
      for (int i = 0; i < 300; i++) {
        terminal.step();
      }
    }
    assertThat(violations()).isEmpty();
    assertThat(Conditions.of(store, SCALE).violations(totals)).isEmpty();
    assertThat(totals.orders()).isBetween(100L, 170L);
    assertThat(totals.payments()).isBetween(100L, 160L);
    assertThat(totals.deliveries()).isPositive();
  }

  private List<String> violations() {
    return Conditions.of(store, SCALE).violations();
  }

  private void change(Table table, byte[] key, Column column, long by) {
    Row row = Row.of(table, store.table(table).get(key).clone());
    store.table(table).put(key, row.add(column, by).bytes());
  }

  @Test
  void aWarehouseHasWhatItsDistrictsHave() {
    change(Table.WAREHOUSE, TableKeys.warehouse(2), Warehouse.YTD, 1);
    assertThat(violations()).hasSize(1);
    assertThat(violations().get(0)).startsWith("condition 1: warehouse 2 has W_YTD ");
    change(Table.DISTRICT, TableKeys.district(2, 9), District.YTD, 1);
    assertThat(violations()).isEmpty();
    // What is wrong alike in both is not what was acknowledged.
    assertThat(Conditions.of(store, SCALE).violations(totals))
        .singleElement()
        .asString()
        .startsWith("payments of ");
  }

  @Test
  void theNextOrderFollowsTheLast() {
    change(Table.DISTRICT, TableKeys.district(1, 3), District.NEXT_ORDER, 1);
    assertThat(violations()).hasSize(2).allMatch(v -> v.startsWith("condition 2: district 3 of 1"));
  }

  @Test
  void newOrdersHaveNoGaps() {
    store.table(Table.NEW_ORDER).remove(last(1, 4));
    assertThat(violations()).singleElement().asString().startsWith("condition 2: district 4 of 1");
    byte[] middle = TableKeys.order(2, 5, TableKeys.orderOf(last(2, 5)) - 1);
    assertThat(store.table(Table.NEW_ORDER).remove(middle)).isNotNull();
    assertThat(violations()).hasSize(2);
    assertThat(violations().get(1)).startsWith("condition 3: district 5 of 2");
  }

  private byte[] last(int warehouse, int district) {
    return store.table(Table.NEW_ORDER).lowerKey(TableKeys.district(warehouse, district + 1));
  }

  @Test
  void ordersHaveTheirLines() {
    change(Table.ORDERS, TableKeys.order(1, 1, 5), Order.LINES, 1);
    assertThat(violations()).singleElement().asString().startsWith("condition 4: district 1 of 1");
    store.table(Table.ORDER_LINE).remove(TableKeys.orderLine(2, 10, 5, 1));
    assertThat(violations()).hasSize(2);
    assertThat(violations().get(1)).startsWith("condition 4: district 10 of 2");
  }

  @Test
  void aDistrictWithoutNewOrdersIsRight() {
    store.table(Table.NEW_ORDER).subMap(TableKeys.district(1, 1), TableKeys.district(1, 2)).clear();
    assertThat(violations()).isEmpty();
  }

  @Test
  void anAcknowledgedWriteThatIsLostIsFound() {
    totals.entered(new Results.NewOrder(1, 1, 0));
    totals.delivered(new Results.Delivery(List.of(0, 7)));
    assertThat(Conditions.of(store, SCALE).violations(totals))
        .hasSize(2)
        .anyMatch(v -> v.endsWith(" were acknowledged") && v.contains("new orders are there"))
        .anyMatch(v -> v.contains("deliveries were acknowledged"));
    assertThatThrownBy(() -> Conditions.require(store, SCALE, totals))
        .isInstanceOf(WrongAnswerException.class)
        .hasMessageEndingWith("(2 violations in all)");
  }

  @Test
  void anAbsentRecordEndsTheRun() {
    store.table(Table.CUSTOMER).clear();
    Terminal.Shared shared = new Terminal.Shared(SCALE, Mix.STANDARD, 1, new RecordLocks(), totals);
    Terminal terminal = new Terminal(shared, store.session(), new SplittableRandom(2));
    assertThatThrownBy(terminal::step).isInstanceOf(WrongAnswerException.class);
  }
}
