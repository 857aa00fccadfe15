package org.loam.workbench.workload.tpcc;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.loam.common.key.KeyBuilder;

/**
 * The secondary indexes. No transaction changes what an index has of a record: entries come with
 * records and stay.
 */
public enum TableIndex {
  /** Warehouse, district, last name, first name. */
  CUSTOMER_BY_NAME(Table.CUSTOMER, 4),
  /** Warehouse, district, customer. */
  ORDERS_BY_CUSTOMER(Table.ORDERS, 3);

  private static final Map<Table, List<TableIndex>> BY_TABLE =
      Arrays.stream(values()).collect(Collectors.groupingBy(TableIndex::table));

  private final Table table;
  private final int parts;

  TableIndex(Table table, int parts) {
    this.table = table;
    this.parts = parts;
  }

  /** The indexes of a table. */
  public static List<TableIndex> of(Table table) {
    return BY_TABLE.getOrDefault(table, List.of());
  }

  public Table table() {
    return table;
  }

  /** Parts of a key, all ascending. */
  public int parts() {
    return parts;
  }

  /** The name in a store. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The key under which the index has a record.
   *
   * @param key of the record
   * @param bytes of the record
   */
  public byte[] keyOf(byte[] key, byte[] bytes) {
    Row row = Row.of(table, bytes);
    int warehouse = TableKeys.warehouseOf(key);
    int district = TableKeys.districtOf(key);
    return switch (this) {
      case CUSTOMER_BY_NAME ->
          begin(warehouse, district)
              .add(row.text(Columns.Customer.LAST))
              .add(row.text(Columns.Customer.FIRST))
              .toBytes();
      case ORDERS_BY_CUSTOMER ->
          ofCustomer(warehouse, district, (int) row.get(Columns.Order.CUSTOMER));
    };
  }

  /** The beginning of the keys of all customers with a last name. */
  public static byte[] ofName(int warehouse, int district, String last) {
    return begin(warehouse, district).add(last).toBytes();
  }

  /** The key of all orders of a customer. */
  public static byte[] ofCustomer(int warehouse, int district, int customer) {
    return begin(warehouse, district).add(customer).toBytes();
  }

  private static KeyBuilder begin(int warehouse, int district) {
    return new KeyBuilder().add(warehouse).add(district);
  }
}
