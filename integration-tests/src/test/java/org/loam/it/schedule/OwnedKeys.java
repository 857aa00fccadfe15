package org.loam.it.schedule;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;
import org.loam.engine.WriteOptions;

/**
 * What is known of keys that have one writer each: the last version that was begun to be written,
 * and the last that was acknowledged. An answer has to lie between what was acknowledged before the
 * question and what was begun before the answer. Version 0 is absence.
 *
 * <p>The baton of the simulation orders all calls.
 */
final class OwnedKeys {
  private final int[] begun;
  private final int[] acknowledged;
  private final int valueBytes;
  private final WriteOptions options;

  /**
   * @param count of keys, at most 256
   * @param valueBytes of each value
   */
  OwnedKeys(int count, int valueBytes) {
    this(count, valueBytes, WriteOptions.DEFAULT);
  }

  /**
   * @param count of keys, at most 256
   * @param valueBytes of each value
   * @param options of each write
   */
  OwnedKeys(int count, int valueBytes, WriteOptions options) {
    this.options = options;
    this.begun = new int[count];
    this.acknowledged = new int[count];
    this.valueBytes = valueBytes;
  }

  /** The key of a number; bits reversed, so that ascending numbers are spread over all keys. */
  static byte[] key(int number) {
    return new byte[] {(byte) (Integer.reverse(number) >>> 24)};
  }

  /** The number of a key. */
  static int number(byte[] key) {
    return Integer.reverse(key[0]) >>> 24;
  }

  private byte[] begin(int number) {
    return value(number, ++begun[number]);
  }

  private void acknowledge(int number) {
    acknowledged[number] = begun[number];
  }

  /** The last version that was acknowledged. */
  int acknowledged(int number) {
    return acknowledged[number];
  }

  /** The next version of keys, the same in each tree, in one batch. */
  void write(Engine engine, List<Tree> trees, int from, int to) {
    WriteBatch batch = new WriteBatch();
    for (int number = from; number < to; number++) {
      byte[] value = begin(number);
      for (Tree tree : trees) {
        batch.put(tree, key(number), value);
      }
    }
    engine.write(batch, options);
    for (int number = from; number < to; number++) {
      acknowledge(number);
    }
  }

  /** The next version of a key, without a batch. */
  void put(Tree tree, int number) {
    tree.put(key(number), begin(number), options);
    acknowledge(number);
  }

  /** Gets a key, and checks the answer. */
  void get(Tree tree, int number) {
    int least = acknowledged(number);
    check("get", number, tree.get(key(number)), least);
  }

  /** Scans all keys, and checks the answer. */
  void scan(Tree tree) {
    int[] least = acknowledged.clone();
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      Check.scan("a scan", cursor, this, least);
    }
  }

  /** The value that a version has. */
  private byte[] value(int number, int version) {
    return ByteBuffer.allocate(valueBytes).putInt(number).putInt(version).array();
  }

  /** The version of a value, which has to be one of a key; 0 for null. */
  int version(int number, byte @Nullable [] value) {
    if (value == null) {
      return 0;
    }
    Check.that(value.length == valueBytes, "key " + number + " has " + value.length + " bytes");
    ByteBuffer bytes = ByteBuffer.wrap(value);
    int found = bytes.getInt();
    Check.that(found == number, "key " + number + " has a value of key " + found);
    return bytes.getInt();
  }

  /**
   * Checks an answer.
   *
   * @param least the version acknowledged before the question
   */
  void check(String what, int number, byte @Nullable [] value, int least) {
    int version = version(number, value);
    Check.that(
        version >= least && version <= begun[number],
        what
            + " of key "
            + number
            + " shows version "
            + version
            + ", acknowledged before: "
            + least
            + ", begun: "
            + begun[number]);
  }
}
