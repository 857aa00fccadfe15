package org.loam.workbench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.loam.workbench.workload.tpcc.Columns.Customer;
import org.loam.workbench.workload.tpcc.Columns.Order;

/** Records and keys as bytes. */
class RowTest {
  private static Row customer() {
    String[] texts = {"Ada", "OE", "BARBARBAR", "GC", "a", "b", "c", "DE", "z", "1", "data"};
    return Row.create(Table.CUSTOMER, texts);
  }

  @Test
  void numbersAndTextsComeBack() {
    Row row =
        customer()
            .set(Customer.SINCE, 1L << 40)
            .set(Customer.BALANCE, -10_00)
            .set(Customer.DISCOUNT, 5_000)
            .add(Customer.PAYMENTS, 3);
    Row again = Row.of(Table.CUSTOMER, row.bytes().clone());
    assertThat(again.get(Customer.SINCE)).isEqualTo(1L << 40);
    assertThat(again.get(Customer.BALANCE)).isEqualTo(-10_00);
    assertThat(again.get(Customer.DISCOUNT)).isEqualTo(5_000);
    assertThat(again.get(Customer.PAYMENTS)).isEqualTo(3);
    assertThat(again.get(Customer.YTD_PAYMENT)).isZero();
    assertThat(again.text(Customer.FIRST)).isEqualTo("Ada");
    assertThat(again.text(Customer.DATA)).isEqualTo("data");
  }

  @Test
  void aTextMayBecomeLonger() {
    Row row = customer().set(Customer.BALANCE, 7);
    row.setText(Customer.LAST, "x".repeat(400)).setText(Customer.DATA, "");
    assertThat(row.text(Customer.LAST)).isEqualTo("x".repeat(400));
    assertThat(row.text(Customer.CREDIT)).isEqualTo("GC");
    assertThat(row.text(Customer.DATA)).isEmpty();
    assertThat(row.get(Customer.BALANCE)).isEqualTo(7);
  }

  @Test
  void keysSortAsTheirNumbersDo() {
    byte[][] ascending = {
      TableKeys.warehouse(1),
      TableKeys.district(1, 1),
      TableKeys.order(1, 1, 255),
      TableKeys.orderLine(1, 1, 255, 15),
      TableKeys.order(1, 1, 256),
      TableKeys.district(1, 10),
      TableKeys.customer(1, 10, 3_000),
      TableKeys.history(1, 10, 3_000, 1),
      TableKeys.warehouse(256),
    };
    byte[][] sorted = ascending.clone();
    Arrays.sort(sorted, Arrays::compareUnsigned);
    assertThat(sorted).isEqualTo(ascending);
    byte[] line = TableKeys.orderLine(300, 7, 70_000, 12);
    assertThat(TableKeys.warehouseOf(line)).isEqualTo(300);
    assertThat(TableKeys.districtOf(line)).isEqualTo(7);
    assertThat(TableKeys.orderOf(line)).isEqualTo(70_000);
    assertThat(TableKeys.lineOf(line)).isEqualTo(12);
  }

  @Test
  void keysOfIndexesBeginAsQueriesAsk() {
    byte[] byName =
        TableIndex.CUSTOMER_BY_NAME.keyOf(TableKeys.customer(2, 3, 4), customer().bytes());
    assertThat(byName).startsWith(TableIndex.ofName(2, 3, "BARBARBAR"));
    assertThat(byName.length).isGreaterThan(TableIndex.ofName(2, 3, "BARBARBAR").length);
    Row order = Row.create(Table.ORDERS).set(Order.CUSTOMER, 4);
    assertThat(TableIndex.ORDERS_BY_CUSTOMER.keyOf(TableKeys.order(2, 3, 9), order.bytes()))
        .isEqualTo(TableIndex.ofCustomer(2, 3, 4));
  }
}
