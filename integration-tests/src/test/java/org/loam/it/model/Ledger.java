package org.loam.it.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.ScanOptions;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;

/**
 * The history of a database with one writer: every batch it wrote, and how far that is certain.
 * Each batch also writes its own number, so an engine tells by one key how much of the history it
 * has; all else it shows must then be exactly the content after that batch.
 *
 * <p>A batch is in one of three states: acknowledged, open (its call ended in a way that leaves its
 * fate unknown), or withdrawn (the engine said that nothing was written).
 */
public final class Ledger {
  /** The key, in the first tree, whose value is the number of the last batch. */
  public static final String NUMBER_KEY = "#";

  /** A write of a batch; a null value deletes. */
  public record Change(int tree, String key, byte @Nullable [] value) {}

  private record Batch(long number, List<Change> changes) {}

  private final List<String> treeNames;
  private final List<TreeMap<String, byte[]>> base = new ArrayList<>();
  private final List<Batch> batches = new ArrayList<>();
  private long baseNumber;
  private long acknowledged;
  private long forced;

  /** The history of an empty database. */
  public Ledger(List<String> treeNames) {
    this.treeNames = treeNames;
    treeNames.forEach(name -> base.add(new TreeMap<>()));
  }

  private Ledger(Ledger other) {
    this(other.treeNames);
    for (int t = 0; t < base.size(); t++) {
      base.get(t).putAll(other.base.get(t));
    }
    batches.addAll(other.batches);
    baseNumber = other.baseNumber;
    acknowledged = other.acknowledged;
    forced = other.forced;
  }

  /** An independent ledger in the same state. */
  public Ledger copy() {
    return new Ledger(this);
  }

  public List<String> treeNames() {
    return treeNames;
  }

  /** Number of the last batch begun and not withdrawn. */
  public long last() {
    return baseNumber + batches.size();
  }

  /** Number of the last batch that was acknowledged. */
  public long acknowledged() {
    return acknowledged;
  }

  /** Number of the last batch that survives power loss, whatever the durability. */
  public long forced() {
    return forced;
  }

  /** Enters a batch that is about to be written. */
  public long begin(List<Change> changes) {
    long number = last() + 1;
    List<Change> all = new ArrayList<>(changes);
    all.add(new Change(0, NUMBER_KEY, Long.toString(number).getBytes(UTF_8)));
    batches.add(new Batch(number, all));
    return number;
  }

  /** The last batch, for the engine. */
  public WriteBatch toWrite(Engine engine) {
    WriteBatch write = new WriteBatch();
    for (Change c : batches.get(batches.size() - 1).changes()) {
      Tree tree = engine.tree(treeNames.get(c.tree()));
      byte[] value = c.value();
      if (value == null) {
        write.delete(tree, c.key().getBytes(UTF_8));
      } else {
        write.put(tree, c.key().getBytes(UTF_8), value);
      }
    }
    return write;
  }

  /** The engine acknowledged the last batch. */
  public void acknowledge() {
    acknowledged = last();
  }

  /** Everything acknowledged is on disk. */
  public void force() {
    forced = acknowledged;
  }

  /** The engine said that nothing of the last batch was written. */
  public void withdraw() {
    batches.remove(batches.size() - 1);
  }

  /** The content of each tree after a batch. */
  public List<TreeMap<String, byte[]>> contentAt(long number) {
    List<TreeMap<String, byte[]>> content = new ArrayList<>();
    base.forEach(tree -> content.add(new TreeMap<>(tree)));
    for (Batch batch : batches) {
      if (batch.number() <= number) {
        apply(batch, content);
      }
    }
    return content;
  }

  private static void apply(Batch batch, List<TreeMap<String, byte[]>> content) {
    for (Change c : batch.changes()) {
      byte[] value = c.value();
      if (value == null) {
        content.get(c.tree()).remove(c.key());
      } else {
        content.get(c.tree()).put(c.key(), value);
      }
    }
  }

  /**
   * Reads everything an engine has, by scan and key by key, and compares.
   *
   * @param required number of the batch that must be there with all before it
   * @return the number of the last batch that is there
   * @throws AssertionError if anything is missing or wrong
   */
  public long verify(Engine engine, long required) {
    long number = numberIn(engine);
    require(number >= required, "lost: batch " + required + " is required, found " + number);
    require(number <= last(), "batch " + number + " was never written, the last is " + last());
    List<TreeMap<String, byte[]>> content = contentAt(number);
    for (int t = 0; t < treeNames.size(); t++) {
      compareTree(engine, treeNames.get(t), content.get(t), "batch " + number);
    }
    return number;
  }

  /** How much of the history an engine has. */
  public long numberIn(Engine engine) {
    if (!engine.hasTree(treeNames.get(0))) {
      return 0;
    }
    byte[] stored = engine.tree(treeNames.get(0)).get(NUMBER_KEY.getBytes(UTF_8));
    return stored == null ? 0 : Long.parseLong(new String(stored, UTF_8));
  }

  /** Goes on from a reopened engine that has the history up to a batch. */
  public void rebase(long number) {
    List<TreeMap<String, byte[]>> content = contentAt(number);
    for (int t = 0; t < base.size(); t++) {
      base.get(t).clear();
      base.get(t).putAll(content.get(t));
    }
    batches.clear();
    baseNumber = number;
    acknowledged = number;
    forced = number;
  }

  private static void compareTree(
      Engine engine, String name, TreeMap<String, byte[]> expected, String when) {
    if (!engine.hasTree(name)) {
      require(expected.isEmpty(), when + ": tree " + name + " is missing");
      return;
    }
    Tree tree = engine.tree(name);
    String what = when + ", tree " + name;
    try (Cursor cursor = tree.scan(ScanOptions.all())) {
      compare(what, cursor, expected);
    }
    for (Map.Entry<String, byte[]> entry : expected.entrySet()) {
      String key = entry.getKey();
      compare(what + ", get " + key, tree.get(key.getBytes(UTF_8)), entry.getValue());
      String absent = key + "!";
      compare(what + ", get " + absent, tree.get(absent.getBytes(UTF_8)), null);
    }
  }

  /** Compares what a cursor shows with what it must show, in that order. */
  public static void compare(String what, Cursor cursor, Map<String, byte[]> expected) {
    for (Map.Entry<String, byte[]> entry : expected.entrySet()) {
      require(cursor.next(), what + ": ends before " + entry.getKey());
      String key = new String(cursor.key(), UTF_8);
      require(key.equals(entry.getKey()), what + ": " + key + ", expected " + entry.getKey());
      compare(what + " " + key, cursor.value(), entry.getValue());
    }
    if (cursor.next()) {
      throw new WrongAnswer(what + ": " + new String(cursor.key(), UTF_8) + " must not be there");
    }
  }

  /** Compares a value with what it must be; null is absent. */
  public static void compare(String what, byte @Nullable [] found, byte @Nullable [] expected) {
    if (!Arrays.equals(found, expected)) {
      throw new WrongAnswer(what + ": " + show(found) + ", expected " + show(expected));
    }
  }

  private static String show(byte @Nullable [] value) {
    return value == null ? "absent" : value.length + " bytes, hash " + Arrays.hashCode(value);
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new WrongAnswer(what);
    }
  }

  /** The engine gave an answer, and it was not the right one. */
  public static final class WrongAnswer extends AssertionError {
    private static final long serialVersionUID = 1L;

    public WrongAnswer(String message) {
      super(message);
    }
  }
}
