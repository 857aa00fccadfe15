package org.loam.it.history;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.loam.engine.Cursor;
import org.loam.engine.Engine;
import org.loam.engine.Snapshot;
import org.loam.engine.Tree;
import org.loam.engine.WriteBatch;
import org.loam.engine.WriteOptions;

/**
 * Two trees with one history: most groups have keys in both. A scan of all keys needs several
 * batches.
 */
final class TreePair {
  static final int KEYS = 256;

  final Engine engine;
  final List<String> names;
  final List<Tree> trees;
  final History history;
  final Content content;

  /** Whether the trees may be dropped by now: then readers and writers may be told so. */
  volatile boolean dropped;

  private TreePair(Engine engine, List<String> names, List<Tree> trees, History history) {
    this.engine = engine;
    this.names = names;
    this.trees = trees;
    this.history = history;
    this.content = new TreeValues(history);
  }

  /** Creates both trees. */
  static TreePair create(Engine engine, String name, RandomGenerator random) {
    List<String> names = List.of(name + "a", name + "b");
    List<Tree> trees = names.stream().map(engine::createTree).toList();
    return new TreePair(engine, names, trees, new History(random, 2 * KEYS, Client.COUNT + 1));
  }

  /** The same trees in an engine that was opened again, checked. */
  TreePair reopened(Engine again) {
    List<Tree> found = names.stream().map(again::tree).toList();
    TreePair pair = new TreePair(again, names, found, history);
    pair.verify();
    return pair;
  }

  Tree tree(int slot) {
    return trees.get(slot / KEYS);
  }

  static byte[] key(int slot) {
    return Content.key(slot % KEYS);
  }

  /** The next write to a group. Only for its writer. */
  void write(int group, WriteOptions options, Trail trail) {
    long number = history.start(group);
    trail.note("write to " + names, history, group, number);
    int[] slots = history.slots(group);
    if (slots.length == 1) {
      writeOne(slots[0], number, options);
    } else {
      WriteBatch batch = new WriteBatch();
      for (int slot : slots) {
        byte[] value = value(slot, number);
        if (value == null) {
          batch.delete(tree(slot), key(slot));
        } else {
          batch.put(tree(slot), key(slot), value);
        }
      }
      engine.write(batch, options);
    }
    history.acknowledge(group, number);
    trail.note("acknowledged", history, group, number);
  }

  private void writeOne(int slot, long number, WriteOptions options) {
    byte[] value = value(slot, number);
    if (number % 3 == 0 && history.acknowledged(history.group(slot)) == number - 1) {
      compareAndPut(slot, number, value, options);
    } else if (value == null) {
      tree(slot).delete(key(slot), options);
    } else {
      tree(slot).put(key(slot), value, options);
    }
  }

  /** Only this thread writes the key, so the value is known. */
  private void compareAndPut(int slot, long number, byte @Nullable [] value, WriteOptions options) {
    if (!tree(slot).compareAndPut(key(slot), value(slot, number - 1), value, options)) {
      throw new HistoryError(
          content.name(slot) + " has another value than that of write " + (number - 1),
          history,
          history.group(slot));
    }
  }

  /** The value of a slot after a write, null if there is none. */
  private byte @Nullable [] value(int slot, long number) {
    return history.shown(slot, number) == 0 ? null : content.value(slot, number);
  }

  /**
   * Checks everything when writes have ended, and ends every doubt about a write by another one.
   */
  void verify() {
    int reader = Client.COUNT;
    Moment moment = Moment.begin(content, reader);
    moment.end();
    try (Snapshot snapshot = engine.snapshot()) {
      for (int i = 0; i < trees.size(); i++) {
        try (Cursor cursor = snapshot.scan(trees.get(i), RangeScan.all(KEYS).options())) {
          RangeScan.all(KEYS).read(cursor, i * KEYS, moment, () -> {});
        }
      }
    }
    for (int slot = 0; slot < history.slotCount(); slot++) {
      moment.see("get", slot, tree(slot).get(key(slot)));
    }
    moment.check();
    for (int group = 0; group < history.groupCount(); group++) {
      if (history.started(group) != history.acknowledged(group)) {
        write(group, WriteOptions.DEFAULT, new Trail());
      }
    }
  }
}
