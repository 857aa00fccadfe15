package org.loam.lsm.dataset;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A record as the extractors of all indexes see it, one after the other. One thread; not to be
 * kept.
 */
public final class RecordView {
  private final byte[] key;
  private final byte[] bytes;
  private @Nullable Function<byte[], ?> parser;
  private @Nullable Object parsed;

  /** A record and its key; the arrays are lent. */
  public RecordView(byte[] key, byte[] bytes) {
    this.key = key;
    this.bytes = bytes;
  }

  /** The record's key; not to be changed. */
  public byte[] key() {
    return key;
  }

  /** The record; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * What a parser makes of the record. Asked again for the same parser object, it is what it made
   * the first time, so that a record is parsed once however many indexes there are.
   */
  @SuppressWarnings("unchecked") // It was made by this very parser.
  public <T> T parsed(Function<byte[], T> by) {
    Object result = parsed;
    if (result == null || parser != by) {
      result = by.apply(bytes);
      parsed = result;
      parser = by;
    }
    return (T) result;
  }
}
