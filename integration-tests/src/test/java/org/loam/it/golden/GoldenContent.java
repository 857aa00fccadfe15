package org.loam.it.golden;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Engine;
import org.loam.engine.WriteBatch;

/**
 * What the checked-in databases hold, as a function of the number of a batch alone and by
 * arithmetic of its own, so that no other Java gives another answer. It never changes, because old
 * databases are checked against it.
 *
 * <p>Two trees: {@code orders} has text keys with a common prefix, {@code blobs} binary ones, from
 * the empty key to the longest. Values are empty, small, or larger than a page. After the load,
 * batches replace and delete.
 */
final class GoldenContent {
  static final String ORDERS = "orders";
  static final String BLOBS = "blobs";
  static final List<String> TREES = List.of(ORDERS, BLOBS);

  /** The longest key a page of 4 KiB allows. */
  private static final int MAX_KEY_BYTES = 1024;

  /** The last batch that only adds. */
  static final int LOADED = 30;

  private static final int ORDER_COUNT = 6 * LOADED;
  private static final int BLOB_COUNT = 3 * LOADED;

  private GoldenContent() {}

  /** A write of a batch; a null value deletes. */
  private record Change(String tree, byte[] key, byte @Nullable [] value) {}

  /** The writes of batch {@code number}, from 1; in a batch no key comes twice. */
  private static List<Change> changes(int number) {
    List<Change> changes = new ArrayList<>();
    if (number <= LOADED) {
      for (int order = 6 * (number - 1); order < 6 * number; order++) {
        changes.add(new Change(ORDERS, orderKey(order), orderValue(order, number)));
      }
      for (int blob = 3 * (number - 1); blob < 3 * number; blob++) {
        changes.add(new Change(BLOBS, blobKey(blob), blobValue(blob, number)));
      }
      return changes;
    }
    // Most of what a batch writes is written again by the next ones.
    for (int i = 0; i < 6; i++) {
      int order = (2 * number + i) * 37 % ORDER_COUNT;
      byte[] value = i % 4 == 1 ? null : orderValue(order, number);
      changes.add(new Change(ORDERS, orderKey(order), value));
    }
    for (int i = 0; i < 3; i++) {
      int blob = (number + i) * 23 % BLOB_COUNT;
      byte[] value = (number + i) % 3 == 0 ? null : blobValue(blob, number);
      changes.add(new Change(BLOBS, blobKey(blob), value));
    }
    return changes;
  }

  private static byte[] orderKey(int order) {
    return String.format(Locale.ROOT, "order/%06d", order).getBytes(US_ASCII);
  }

  /** 900 to 1199 bytes that say whose they are and since when. */
  private static byte[] orderValue(int order, int number) {
    byte[] text = ("order " + order + " of batch " + number + "; ").getBytes(US_ASCII);
    byte[] value = new byte[900 + (order * 7 + number * 13) % 300];
    for (int i = 0; i < value.length; i++) {
      value[i] = text[i % text.length];
    }
    return value;
  }

  /** Blob 0 has the empty key, blob 1 the longest; the others differ in their first byte. */
  private static byte[] blobKey(int blob) {
    int length = blob == 0 ? 0 : blob == 1 ? MAX_KEY_BYTES : 1 + blob % 12;
    byte[] key = new byte[length];
    for (int i = 0; i < length; i++) {
      key[i] = (byte) (blob * 151 + i * 89);
    }
    return key;
  }

  private static byte[] blobValue(int blob, int number) {
    byte[] value = new byte[blobLength(blob)];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) (i % 16 + blob + number);
    }
    return value;
  }

  private static int blobLength(int blob) {
    return switch (blob % 10) {
      case 0 -> 0;
      case 3 -> 6000;
      case 6 -> 2100;
      default -> 30;
    };
  }

  /** Batch {@code number} as an engine takes it. */
  static WriteBatch batch(Engine engine, int number) {
    WriteBatch batch = new WriteBatch();
    for (Change change : changes(number)) {
      byte[] value = change.value();
      if (value == null) {
        batch.delete(engine.tree(change.tree()), change.key());
      } else {
        batch.put(engine.tree(change.tree()), change.key(), value);
      }
    }
    return batch;
  }

  /** How many keys of a tree the batches {@code first} to {@code last} write or delete. */
  static int keyCount(int first, int last, String tree) {
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (int number = first; number <= last; number++) {
      for (Change change : changes(number)) {
        if (change.tree().equals(tree)) {
          keys.add(change.key());
        }
      }
    }
    return keys.size();
  }

  /** Keys and values of a tree after the batches up to {@code last}, in the order of keys. */
  static TreeMap<byte[], byte[]> after(int last, String tree) {
    TreeMap<byte[], byte[]> content = new TreeMap<>(Arrays::compareUnsigned);
    for (int number = 1; number <= last; number++) {
      for (Change change : changes(number)) {
        byte[] value = change.value();
        if (!change.tree().equals(tree)) {
          continue;
        }
        if (value == null) {
          content.remove(change.key());
        } else {
          content.put(change.key(), value);
        }
      }
    }
    return content;
  }
}
