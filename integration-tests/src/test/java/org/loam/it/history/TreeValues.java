package org.loam.it.history;

import java.nio.ByteBuffer;

/**
 * Values of trees: slot, write, and a filling that depends on them; few need pages of their own.
 */
final class TreeValues extends Content {
  private static final int HEAD_BYTES = 12;
  private static final int FILLING_BYTES = 200;
  private static final int ONE_LARGE_IN = 400;
  private static final int LARGE_BYTES = 3000;

  TreeValues(History history) {
    super(history);
  }

  @Override
  byte[] value(int slot, long number) {
    long mixed = history.mixed(slot, ~number);
    int filling = (int) Long.remainderUnsigned(mixed, FILLING_BYTES);
    if (Long.remainderUnsigned(mixed, ONE_LARGE_IN) == 0) {
      filling = LARGE_BYTES;
    }
    ByteBuffer value = ByteBuffer.allocate(HEAD_BYTES + filling).putInt(slot).putLong(number);
    while (value.hasRemaining()) {
      value.put((byte) mixed);
    }
    return value.array();
  }

  @Override
  String name(int slot) {
    return "tree " + slot / TreePair.KEYS + " key " + text(slot % TreePair.KEYS);
  }

  @Override
  long number(byte[] value) {
    return ByteBuffer.wrap(value).getLong(Integer.BYTES);
  }
}
