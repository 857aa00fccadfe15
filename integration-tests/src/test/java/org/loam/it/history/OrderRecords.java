package org.loam.it.history;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.loam.it.orders.Order;

/** Records of a dataset: orders that follow from slot and write. */
final class OrderRecords extends Content {
  private static final int MAX_FILLING_BYTES = 40;

  OrderRecords(History history) {
    super(history);
  }

  @Override
  byte[] value(int slot, long number) {
    SplittableRandom random = new SplittableRandom(history.mixed(slot, ~number));
    Order order = Order.random(random, Long.BYTES + random.nextInt(MAX_FILLING_BYTES));
    ByteBuffer.wrap(order.filling()).putLong(number);
    return order.encode();
  }

  @Override
  long number(byte[] value) {
    return ByteBuffer.wrap(Order.decode(value).filling()).getLong();
  }
}
