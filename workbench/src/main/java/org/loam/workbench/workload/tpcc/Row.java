package org.loam.workbench.workload.tpcc;

import java.nio.charset.StandardCharsets;

/**
 * A record: numbers at fixed places, the first byte first, then texts, each behind its length in
 * two bytes. For one thread.
 */
public final class Row {
  private static final int LENGTH_BYTES = 2;

  private final Table table;
  private byte[] bytes;

  private Row(Table table, byte[] bytes) {
    this.table = table;
    this.bytes = bytes;
  }

  /** A record as a store has it; the array belongs to the row from now on. */
  public static Row of(Table table, byte[] bytes) {
    return new Row(table, bytes);
  }

  /** A record whose numbers are all 0. */
  public static Row create(Table table, String... texts) {
    int length = table.numberBytes();
    for (String text : texts) {
      length += LENGTH_BYTES + text.length();
    }
    byte[] bytes = new byte[length];
    int at = table.numberBytes();
    for (String text : texts) {
      at = put(bytes, at, text);
    }
    return new Row(table, bytes);
  }

  /** The record as a store takes it, not to be changed afterwards. */
  public byte[] bytes() {
    return bytes;
  }

  /** A number. */
  public long get(Column column) {
    long value = bytes[column.offset()];
    for (int i = column.offset() + 1; i < column.end(); i++) {
      value = (value << Byte.SIZE) | (bytes[i] & 0xff);
    }
    return value;
  }

  /** Changes a number; returns this row. */
  public Row set(Column column, long value) {
    long rest = value;
    for (int i = column.end() - 1; i >= column.offset(); i--) {
      bytes[i] = (byte) rest;
      rest >>= Byte.SIZE;
    }
    return this;
  }

  /** Adds to a number; returns this row. */
  public Row add(Column column, long value) {
    return set(column, get(column) + value);
  }

  /** A text, by its place from 0. */
  public String text(int place) {
    int at = textAt(place);
    return new String(bytes, at + LENGTH_BYTES, lengthAt(at), StandardCharsets.ISO_8859_1);
  }

  /** Changes a text; returns this row. */
  public Row setText(int place, String text) {
    int at = textAt(place);
    int end = at + LENGTH_BYTES + lengthAt(at);
    byte[] changed = new byte[bytes.length - (end - at) + LENGTH_BYTES + text.length()];
    System.arraycopy(bytes, 0, changed, 0, at);
    int newEnd = put(changed, at, text);
    System.arraycopy(bytes, end, changed, newEnd, bytes.length - end);
    bytes = changed;
    return this;
  }

  private int textAt(int place) {
    int at = table.numberBytes();
    for (int i = 0; i < place; i++) {
      at += LENGTH_BYTES + lengthAt(at);
    }
    return at;
  }

  private int lengthAt(int at) {
    return ((bytes[at] & 0xff) << Byte.SIZE) | (bytes[at + 1] & 0xff);
  }

  /** Returns where the text ends. */
  private static int put(byte[] target, int at, String text) {
    byte[] encoded = text.getBytes(StandardCharsets.ISO_8859_1);
    target[at] = (byte) (encoded.length >> Byte.SIZE);
    target[at + 1] = (byte) encoded.length;
    System.arraycopy(encoded, 0, target, at + LENGTH_BYTES, encoded.length);
    return at + LENGTH_BYTES + encoded.length;
  }
}
