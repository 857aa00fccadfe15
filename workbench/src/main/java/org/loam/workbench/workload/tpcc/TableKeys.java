package org.loam.workbench.workload.tpcc;

import java.nio.ByteBuffer;

/**
 * Primary keys: numbers of fixed size, the first byte first, so that they sort as the numbers do.
 *
 * <pre>
 *  warehouse                                 4 bytes
 *  district     of the warehouse, 1 to 10    1 byte
 *  order        of the district, from 1 on   4 bytes
 *  line         of the order, from 1 on      1 byte
 * </pre>
 *
 * <p>Customers have a number of 4 bytes where orders have one. The key of a payment is that of the
 * customer and the number of the payment. Pure functions.
 */
public final class TableKeys {
  private static final int DISTRICT_OFFSET = 4;
  private static final int ORDER_OFFSET = 5;
  private static final int ORDER_END = 9;

  private TableKeys() {}

  public static byte[] warehouse(int warehouse) {
    return ByteBuffer.allocate(DISTRICT_OFFSET).putInt(warehouse).array();
  }

  public static byte[] district(int warehouse, int district) {
    return begin(ORDER_OFFSET, warehouse, district).array();
  }

  public static byte[] customer(int warehouse, int district, int customer) {
    return begin(ORDER_END, warehouse, district).putInt(customer).array();
  }

  public static byte[] history(int warehouse, int district, int customer, int payment) {
    return begin(ORDER_END + Integer.BYTES, warehouse, district)
        .putInt(customer)
        .putInt(payment)
        .array();
  }

  /** Of an order, and of the new order that waits for its delivery. */
  public static byte[] order(int warehouse, int district, int order) {
    return begin(ORDER_END, warehouse, district).putInt(order).array();
  }

  public static byte[] orderLine(int warehouse, int district, int order, int line) {
    return begin(ORDER_END + 1, warehouse, district).putInt(order).put((byte) line).array();
  }

  public static byte[] item(int item) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(item).array();
  }

  public static byte[] stock(int warehouse, int item) {
    return ByteBuffer.allocate(2 * Integer.BYTES).putInt(warehouse).putInt(item).array();
  }

  private static ByteBuffer begin(int bytes, int warehouse, int district) {
    return ByteBuffer.allocate(bytes).putInt(warehouse).put((byte) district);
  }

  /** The warehouse in any key but that of an item. */
  public static int warehouseOf(byte[] key) {
    return ByteBuffer.wrap(key).getInt(0);
  }

  /** The district in a key that has one. */
  public static int districtOf(byte[] key) {
    return key[DISTRICT_OFFSET];
  }

  /** The order in the key of an order, a new order or a line, or the customer in that of one. */
  public static int orderOf(byte[] key) {
    return ByteBuffer.wrap(key).getInt(ORDER_OFFSET);
  }

  /** The line in its key. */
  public static int lineOf(byte[] key) {
    return key[ORDER_END];
  }
}
