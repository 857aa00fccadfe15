package org.loam.workbench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.loam.workbench.workload.tpcc.Columns.Customer;
import org.loam.workbench.workload.tpcc.Columns.Item;
import org.loam.workbench.workload.tpcc.Columns.Order;
import org.loam.workbench.workload.tpcc.Columns.OrderLine;
import org.loam.workbench.workload.tpcc.Columns.Stock;

/** The records that tables have at first. */
class InitialRowsTest {
  private static final Scale SCALE = Scale.of(2, 0.02);
  private static final int DISTRICTS = 2 * Scale.DISTRICTS;

  private final Map<Table, TreeMap<byte[], Row>> tables = new EnumMap<>(Table.class);

  @BeforeEach
  void fill() {
    fill(tables);
  }

  private static void fill(Map<Table, TreeMap<byte[], Row>> tables) {
    for (Table table : Table.values()) {
      tables.put(table, new TreeMap<>(Arrays::compareUnsigned));
    }
    InitialRows rows =
        new InitialRows(
            SCALE,
            5,
            1_000,
            (table, key, row) ->
                assertThat(tables.get(table).put(key, Row.of(table, row))).isNull());
    rows.items();
    rows.warehouse(1);
    rows.warehouse(2);
  }

  private int count(Table table) {
    return tables.get(table).size();
  }

  private double meanBytes(Table table) {
    return tables.get(table).entrySet().stream()
        .mapToInt(entry -> entry.getKey().length + entry.getValue().bytes().length)
        .average()
        .orElseThrow();
  }

  @Test
  void tablesHaveTheirNumbersOfRecords() {
    int customers = DISTRICTS * 60;
    assertThat(SCALE).isEqualTo(new Scale(2, 2_000, 60));
    assertThat(count(Table.WAREHOUSE)).isEqualTo(2);
    assertThat(count(Table.DISTRICT)).isEqualTo(DISTRICTS);
    assertThat(count(Table.CUSTOMER)).isEqualTo(customers);
    assertThat(count(Table.HISTORY)).isEqualTo(customers);
    assertThat(count(Table.ORDERS)).isEqualTo(customers);
    assertThat(count(Table.NEW_ORDER)).isEqualTo(DISTRICTS * 18);
    assertThat(count(Table.ITEM)).isEqualTo(2_000);
    assertThat(count(Table.STOCK)).isEqualTo(4_000);
    assertThat(count(Table.ORDER_LINE)).isBetween(9 * customers, 11 * customers);
  }

  /** The standard's sizes (1.2.1) hold the numbers as digits, so records here are shorter. */
  @Test
  void recordsHaveAboutTheSizesOfTheStandard() {
    assertThat(meanBytes(Table.WAREHOUSE)).isBetween(70.0, 110.0);
    assertThat(meanBytes(Table.DISTRICT)).isBetween(75.0, 115.0);
    assertThat(meanBytes(Table.CUSTOMER)).isBetween(550.0, 680.0);
    assertThat(meanBytes(Table.HISTORY)).isBetween(40.0, 60.0);
    assertThat(meanBytes(Table.NEW_ORDER)).isBetween(8.0, 12.0);
    assertThat(meanBytes(Table.ORDERS)).isBetween(20.0, 30.0);
    assertThat(meanBytes(Table.ORDER_LINE)).isBetween(50.0, 65.0);
    assertThat(meanBytes(Table.ITEM)).isBetween(65.0, 90.0);
    assertThat(meanBytes(Table.STOCK)).isBetween(290.0, 350.0);
    double bytes = 0;
    for (Table table : Table.values()) {
      bytes += count(table) * meanBytes(table);
    }
    assertThat(bytes).isBetween(0.7 * SCALE.dataBytes(), 1.3 * SCALE.dataBytes());
  }

  @Test
  void valuesAreInTheirRanges() {
    tables.get(Table.ITEM).values().forEach(this::checkItem);
    tables
        .get(Table.STOCK)
        .values()
        .forEach(
            row -> {
              assertThat(row.get(Stock.QUANTITY)).isBetween(10L, 100L);
              assertThat(row.text(0)).hasSize(24);
              assertThat(row.text(Stock.DATA).length()).isBetween(26, 50);
            });
    long bad = 0;
    for (Row row : tables.get(Table.CUSTOMER).values()) {
      bad += row.text(Customer.CREDIT).equals("BC") ? 1 : 0;
      assertThat(row.get(Customer.BALANCE)).isEqualTo(-10_00);
      assertThat(row.get(Customer.DISCOUNT)).isBetween(0L, 5_000L);
      assertThat(row.text(Customer.DATA).length()).isBetween(300, 500);
    }
    assertThat(bad).isBetween(80L, 160L);
  }

  private void checkItem(Row row) {
    assertThat(row.get(Item.PRICE)).isBetween(1_00L, 100_00L);
    assertThat(row.text(Item.NAME).length()).isBetween(14, 24);
  }

  @Test
  void eachCustomerHasOneOrderAndThreeInTenWait() {
    TreeMap<byte[], Row> orders = tables.get(Table.ORDERS);
    for (int order = 1; order <= SCALE.customers(); order++) {
      byte[] key = TableKeys.order(2, 7, order);
      boolean waits = order > 42;
      assertThat(tables.get(Table.NEW_ORDER).containsKey(key)).isEqualTo(waits);
      assertThat(orders.get(key).get(Order.CARRIER) == 0).isEqualTo(waits);
      Row line = tables.get(Table.ORDER_LINE).get(TableKeys.orderLine(2, 7, order, 1));
      assertThat(line.get(OrderLine.DELIVERY_DATE) == 0).isEqualTo(waits);
      assertThat(line.get(OrderLine.AMOUNT) > 0).isEqualTo(waits);
    }
    List<Long> customers =
        orders.subMap(TableKeys.order(2, 7, 0), TableKeys.district(2, 8)).values().stream()
            .map(row -> row.get(Order.CUSTOMER))
            .toList();
    assertThat(customers).hasSize(60).doesNotHaveDuplicates();
    assertThat(customers.stream().mapToLong(c -> c)).allMatch(c -> c >= 1 && c <= 60);
  }

  @Test
  void theSameSeedMakesTheSameRecords() {
    Map<Table, TreeMap<byte[], Row>> again = new EnumMap<>(Table.class);
    fill(again);
    tables.forEach(
        (table, rows) ->
            rows.forEach(
                (key, row) ->
                    assertThat(again.get(table).get(key).bytes()).isEqualTo(row.bytes())));
  }

  @Test
  void scalesOutOfBoundsAreRefused() {
    assertThatThrownBy(() -> Scale.of(0, 1)).hasMessage("warehouses = 0, rule: 1 to 10000");
    assertThatThrownBy(() -> Scale.of(1, 0)).hasMessageContaining("part = 0.0, rule");
    assertThatThrownBy(() -> Scale.of(1, 1.5)).hasMessageContaining("part = 1.5, rule");
    assertThat(Scale.of(3, 1)).isEqualTo(new Scale(3, 100_000, 3_000));
  }
}
